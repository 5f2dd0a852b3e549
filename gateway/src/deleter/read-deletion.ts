import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { hasCode } from '@jobs-delete/proto/service-error';
import { Fault } from '@jobs-delete/runtime/fault';
import { faultOfCall, isLost } from './answer.ts';
import type { OnState } from './connection.ts';
import { rankOf, type Member } from './member.ts';

export interface DeletionQuery {
  readonly accountId: string;
  readonly deletionId: string;
  /** How long to wait for the completion; 0 for none. */
  readonly waitMs: number;
  /** Ends the wait early, with the state known until then. */
  readonly signal?: AbortSignal;
}

export interface DeletionStatus {
  readonly deletionId: string;
  readonly jobs: number;
  readonly acceptedAtMs: number;
  /** Undefined until every job is removed. */
  readonly completedAtMs: number | undefined;
}

const retryPauseMs = 200;

/**
 * Reads a deletion. A read that is lost, or caught on a sick deleter while another is well, is repeated on the next one
 * until the time is up.
 * @param timeoutMs the longest time until the first state
 * @returns undefined when the account has no such deletion
 * @throws Fault
 */
export async function readDeletion(
  members: () => readonly Member[],
  query: DeletionQuery,
  timeoutMs: number,
): Promise<DeletionStatus | undefined> {
  const deadlineMs = Date.now() + Math.max(query.waitMs, timeoutMs);
  const over = query.waitMs === 0 ? undefined : endOfWait(query);
  let member: Member | undefined;
  let latest: Deletion__Output | undefined;
  const onState: OnState = (deletion) => (latest = deletion);
  const hasState = () => latest !== undefined;
  for (;;) {
    member = pickReader(members(), member);
    try {
      if (member === undefined) throw new Fault('unavailable', 'deleter: no address');
      if (over === undefined) await read(member, query, deadlineMs, onState);
      else await watch(member, query, { deadlineMs, over, hasState }, onState);
      return latest && statusOf(latest);
    } catch (error) {
      if (hasCode(error, status.NOT_FOUND)) return undefined;
      const mayRepeat = isLost(error) || hasCode(error, status.CANCELLED);
      const isTimeUp = over?.aborted === true && latest !== undefined;
      const isLast = isTimeUp || !mayRepeat || Date.now() + retryPauseMs >= deadlineMs;
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

/** Returns the member of the lowest rank with the fewest reads in flight. A repeated read prefers another member. */
function pickReader(members: readonly Member[], previous: Member | undefined): Member | undefined {
  const rank = Math.min(...members.map(rankOf));
  const [first] = members
    .filter((member) => rankOf(member) === rank)
    .toSorted((a, b) => Number(a === previous) - Number(b === previous) || a.reads.size - b.reads.size);
  return first;
}

function read(member: Member, query: DeletionQuery, deadlineMs: number, onState: OnState): Promise<void> {
  return whileReading(member, async ({ signal }) =>
    onState(await member.connection.getDeletion(query, { deadlineMs, signal })),
  );
}

interface Wait {
  readonly deadlineMs: number;
  readonly over: AbortSignal;
  /** True once this watch or an earlier one has sent a state. */
  readonly hasState: () => boolean;
}

/** Ends when the deletion is completed, or when the wait is over and a state is known. */
function watch(
  member: Member,
  query: DeletionQuery,
  { deadlineMs, over, hasState }: Wait,
  onState: OnState,
): Promise<void> {
  return whileReading(member, async (reading) => {
    const endIfOver = () => {
      if (hasState() && over.aborted) reading.abort();
    };
    over.addEventListener('abort', endIfOver);
    try {
      await member.connection.watchDeletion(query, { deadlineMs, signal: reading.signal }, (deletion) => {
        onState(deletion);
        endIfOver();
      });
    } finally {
      over.removeEventListener('abort', endIfOver);
    }
  });
}

/** Counts the read as one in flight on its member, which may abort it. */
async function whileReading(member: Member, run: (reading: AbortController) => Promise<void>): Promise<void> {
  const reading = new AbortController();
  member.reads.add(reading);
  try {
    await run(reading);
  } finally {
    member.reads.delete(reading);
  }
}

function statusOf({ id, jobCount, state, acceptedAtMs, completedAtMs }: Deletion__Output): DeletionStatus {
  const isCompleted = state === 'DELETION_STATE_COMPLETED';
  return {
    deletionId: id,
    jobs: jobCount,
    acceptedAtMs,
    completedAtMs: isCompleted ? completedAtMs : undefined,
  };
}
