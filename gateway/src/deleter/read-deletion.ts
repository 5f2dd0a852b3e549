import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { hasCode } from '@jobs-delete/proto/service-error';
import type { FairSemaphore } from '@jobs-delete/runtime/batching/fair-semaphore';
import { Fault } from '@jobs-delete/runtime/fault';
import { faultOfCall, isLost } from './answer.ts';
import type { OnState } from './connection.ts';
import type { Replica } from './replica.ts';

export interface DeletionQuery {
  readonly accountId: string;
  readonly deletionId: string;
  /** How long to wait for the completion; 0 for none. */
  readonly waitMs: number;
  /** Ends the wait early, with the state known until then. */
  readonly signal?: AbortSignal;
}

/** `queued`: jobs may still exist. */
export const publicStates = ['queued', 'completed', 'cancelled'] as const;

export interface DeletionStatus {
  readonly deletionId: string;
  readonly state: (typeof publicStates)[number];
  readonly jobs: number;
  readonly acceptedAtMs: number;
  /** The end of the delay; undefined unless the deletion waits for it. */
  readonly removalAtMs: number | undefined;
  /** Undefined until every job is removed. */
  readonly completedAtMs: number | undefined;
}

export interface ReadOptions {
  readonly replicas: () => readonly Replica[];
  /** Bounds the reads in progress. A read that waits for the completion is a watch, and does not count. */
  readonly reads: FairSemaphore;
  /** The longest time until the first state. */
  readonly timeoutMs: number;
}

export const retryPauseMs = 200;

/**
 * Reads a deletion. A read that is lost, or that a sick replica has while another is well, is repeated on the next one
 * until the time is up.
 * @returns undefined when the account has no such deletion
 * @throws Fault
 */
export async function readDeletion(
  query: DeletionQuery,
  options: ReadOptions,
): Promise<DeletionStatus | undefined> {
  const deadlineMs = Date.now() + Math.max(query.waitMs, options.timeoutMs);
  if (query.waitMs > 0) return repeatRead(query, deadlineMs, options.replicas, endOfWait(query));
  const status = await options.reads.run(query.accountId, () =>
    repeatRead(query, deadlineMs, options.replicas, undefined),
  );
  if (status === 'full') throw new Fault('busy', 'too many reads of deletions wait');
  return status;
}

/** @param over aborted at the end of the wait; undefined for a read that does not wait */
async function repeatRead(
  query: DeletionQuery,
  deadlineMs: number,
  replicas: () => readonly Replica[],
  over: AbortSignal | undefined,
): Promise<DeletionStatus | undefined> {
  let replica: Replica | undefined;
  let latest: Deletion__Output | undefined;
  const onState: OnState = (deletion) => (latest = deletion);
  const hasState = () => latest !== undefined;
  for (;;) {
    replica = pickReader(replicas(), replica);
    try {
      if (replica === undefined) throw new Fault('unavailable', 'deleter: no address');
      if (over === undefined) await read(replica, query, deadlineMs, onState);
      else await watch(replica, query, { deadlineMs, over, hasState }, onState);
      return latest && statusOf(latest);
    } catch (error) {
      if (hasCode(error, status.NOT_FOUND)) return undefined;
      const isTimeUp = over?.aborted === true && latest !== undefined;
      const isLast = isTimeUp || !isLost(error) || Date.now() + retryPauseMs >= deadlineMs;
      if (isLast && latest !== undefined) return statusOf(latest);
      if (isLast) throw error instanceof Fault ? error : faultOfCall(error);
      await delay(retryPauseMs);
    }
  }
}

function endOfWait({ waitMs, signal }: DeletionQuery): AbortSignal {
  const timeout = AbortSignal.timeout(waitMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** Returns the replica of the lowest rank with the fewest reads in flight. A repeated read prefers another one. */
export function pickReader(replicas: readonly Replica[], previous: Replica | undefined): Replica | undefined {
  const lowest = Math.min(...replicas.map(({ rank }) => rank));
  const [first] = replicas
    .filter(({ rank }) => rank === lowest)
    .toSorted((a, b) => Number(a === previous) - Number(b === previous) || a.reads.size - b.reads.size);
  return first;
}

function read(replica: Replica, query: DeletionQuery, deadlineMs: number, onState: OnState): Promise<void> {
  return whileReading(replica, async ({ signal }) =>
    onState(await replica.connection.getDeletion(query, { deadlineMs, signal })),
  );
}

interface Wait {
  readonly deadlineMs: number;
  readonly over: AbortSignal;
  /** True once this watch or an earlier one has sent a state. */
  readonly hasState: () => boolean;
}

/** Ends when the deletion is completed or cancelled, or when the wait is over and a state is known. */
function watch(
  replica: Replica,
  query: DeletionQuery,
  { deadlineMs, over, hasState }: Wait,
  onState: OnState,
): Promise<void> {
  return whileReading(replica, async (reading) => {
    const endIfOver = () => {
      if (hasState() && over.aborted) reading.abort();
    };
    over.addEventListener('abort', endIfOver);
    try {
      await replica.connection.watchDeletion(query, { deadlineMs, signal: reading.signal }, (deletion) => {
        onState(deletion);
        endIfOver();
      });
    } finally {
      over.removeEventListener('abort', endIfOver);
    }
  });
}

/** Counts the read as one in flight on its replica. The pool may abort it. */
export async function whileReading<Result>(
  replica: Replica,
  run: (reading: AbortController) => Promise<Result>,
): Promise<Result> {
  const reading = new AbortController();
  replica.reads.add(reading);
  try {
    return await run(reading);
  } finally {
    replica.reads.delete(reading);
  }
}

export function statusOf(deletion: Deletion__Output): DeletionStatus {
  const { id, jobCount, state, acceptedAtMs, removalAtMs, completedAtMs } = deletion;
  return {
    deletionId: id,
    state: publicStateOf(state),
    jobs: jobCount,
    acceptedAtMs,
    removalAtMs: state === 'DELETION_STATE_WAITING' ? removalAtMs : undefined,
    completedAtMs: state === 'DELETION_STATE_COMPLETED' ? completedAtMs : undefined,
  };
}

function publicStateOf(state: Deletion__Output['state']): DeletionStatus['state'] {
  if (state === 'DELETION_STATE_COMPLETED') return 'completed';
  return state === 'DELETION_STATE_CANCELLED' ? 'cancelled' : 'queued';
}
