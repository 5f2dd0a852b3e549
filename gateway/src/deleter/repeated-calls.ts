import { status } from '@grpc/grpc-js';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { hasCode } from '@jobs-delete/proto/client-channel';
import type { FairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import { linkAbort, type Clock } from '@jobs-delete/runtime/time/clock';
import { faultOfCall, isLost } from './answer.ts';
import type { CancellationCall, Connection, JobRange, ReadLimits } from './connection.ts';
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

export interface OwnJobs {
  readonly jobIds: readonly string[];
  /** The `after` of the next page; undefined at the end. */
  readonly next: string | undefined;
}

interface CallOptions {
  readonly replicas: () => readonly Replica[];
  /** Bounds the calls in progress. */
  readonly reads: FairSemaphore;
  /** The longest time until the answer. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Reads a deletion. A read that waits for the completion is a watch, and does not count as a call in progress.
 * @returns undefined when the account has no such deletion
 * @throws Fault
 */
export async function readDeletion(
  query: DeletionQuery,
  options: CallOptions,
): Promise<DeletionStatus | undefined> {
  try {
    const deletion = await (query.waitMs > 0
      ? watch(query, options)
      : callReplica(query.accountId, options, (connection, limits) => connection.getDeletion(query, limits)));
    return deletion && statusOf(deletion);
  } catch (error) {
    if (hasCode(error, status.NOT_FOUND)) return undefined;
    throw faultOfCall(error);
  }
}

/** Watches until the deletion is completed or cancelled, or the wait is over and a state is known. Returns the latest state. */
async function watch(query: DeletionQuery, options: CallOptions): Promise<Deletion__Output | undefined> {
  const deadlineMs = options.clock.now() + Math.max(query.waitMs, options.timeoutMs);
  const over = linkAbort(query.signal, query.waitMs);
  let latest: Deletion__Output | undefined;
  const isEnded = () => over.signal.aborted && latest !== undefined;
  const watchOnce = async (connection: Connection, watching: AbortController) => {
    const endIfOver = () => {
      if (isEnded()) watching.abort();
    };
    over.signal.addEventListener('abort', endIfOver);
    try {
      await connection.watchDeletion(query, { deadlineMs, signal: watching.signal }, (deletion) => {
        latest = deletion;
        endIfOver();
      });
    } finally {
      over.signal.removeEventListener('abort', endIfOver);
    }
  };
  try {
    await repeatCall(options, deadlineMs, watchOnce, (error) => isLost(error) && !isEnded());
  } catch (error) {
    if (latest === undefined || hasCode(error, status.NOT_FOUND)) throw error;
  } finally {
    over.unlink();
  }
  return latest;
}

/** A lost call is repeated: the answer is the same. */
export async function cancelDeletion(
  call: CancellationCall,
  options: CallOptions,
): Promise<DeletionStatus | 'not-cancellable' | undefined> {
  try {
    return statusOf(
      await callReplica(call.accountId, options, (connection, limits) =>
        connection.cancelDeletion(call, limits),
      ),
    );
  } catch (error) {
    if (hasCode(error, status.NOT_FOUND)) return undefined;
    if (hasCode(error, status.FAILED_PRECONDITION)) return 'not-cancellable';
    throw faultOfCall(error);
  }
}

export async function listJobs(range: JobRange, options: CallOptions): Promise<OwnJobs> {
  try {
    const { jobIds, next } = await callReplica(range.accountId, options, (connection, limits) =>
      connection.listJobs(range, limits),
    );
    return { jobIds, next: next === '' ? undefined : next };
  } catch (error) {
    throw faultOfCall(error);
  }
}

function statusOf(deletion: Deletion__Output): DeletionStatus {
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

const retryPauseMs = 200;

/** Runs one of a bounded number of calls, repeatedly if it is lost, until the time is up. @throws Fault, ServiceError */
async function callReplica<Answer extends object>(
  accountId: string,
  { reads, timeoutMs, ...options }: CallOptions,
  call: (connection: Connection, limits: ReadLimits) => Promise<Answer>,
): Promise<Answer> {
  const deadlineMs = options.clock.now() + timeoutMs;
  const answer = await reads.run(accountId, () =>
    repeatCall(options, deadlineMs, (connection, { signal }) => call(connection, { deadlineMs, signal })),
  );
  if (answer === 'full') throw new Fault('busy', 'too many calls of this kind wait');
  return answer;
}

/**
 * Runs a call. One that is lost, or that a sick replica has while another is well, is repeated on the next replica until the
 * deadline.
 * @param call counts as in flight on its replica; the pool may abort its controller
 * @throws Fault if there is no replica, or the error of the last call
 */
async function repeatCall<Answer>(
  { replicas, clock }: Pick<CallOptions, 'replicas' | 'clock'>,
  deadlineMs: number,
  call: (connection: Connection, calling: AbortController) => Promise<Answer>,
  mayRepeat: (error: unknown) => boolean = isLost,
): Promise<Answer> {
  for (let previous: Replica | undefined; ;) {
    const replica = pickReader(replicas(), previous);
    if (replica === undefined) throw new Fault('unavailable', 'deleter: no address');
    previous = replica;
    const calling = new AbortController();
    replica.reads.add(calling);
    try {
      return await call(replica.connection, calling);
    } catch (error) {
      if (!mayRepeat(error) || clock.now() + retryPauseMs >= deadlineMs) throw error;
    } finally {
      replica.reads.delete(calling);
    }
    await clock.sleep(retryPauseMs);
  }
}

/** Returns the replica of the lowest rank with the fewest reads in flight. A repeated call prefers another one. */
function pickReader(replicas: readonly Replica[], previous: Replica | undefined): Replica | undefined {
  const lowest = Math.min(...replicas.map(({ rank }) => rank));
  const [first] = replicas
    .filter(({ rank }) => rank === lowest)
    .toSorted((a, b) => Number(a === previous) - Number(b === previous) || a.reads.size - b.reads.size);
  return first;
}
