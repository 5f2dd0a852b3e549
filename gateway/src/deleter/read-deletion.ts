import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { Fault } from '@jobs-delete/runtime/fault';
import { faultOfCall, hasCode, isLost } from './answer.ts';
import type { Connection } from './connection.ts';
import { rankOf, type Member } from './member.ts';

export interface DeletionQuery {
  readonly accountId: string;
  readonly deletionId: string;
  /** How long to wait for the completion; 0 for none. */
  readonly waitMs: number;
  /** Ends the wait early, with the state known until then. */
  readonly signal: AbortSignal;
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
 * Reads a deletion from the healthiest deleter. A lost connection is retried on the next one until the time is up.
 * @param timeoutMs the longest wait for an answer, beside `waitMs`
 * @returns undefined when the account has no such deletion
 * @throws Fault
 */
export async function readDeletion(
  members: () => readonly Member[],
  query: DeletionQuery,
  timeoutMs: number,
): Promise<DeletionStatus | undefined> {
  const startedAtMs = Date.now();
  const waitUntilMs = startedAtMs + query.waitMs;
  const retryUntilMs = Math.max(waitUntilMs, startedAtMs + timeoutMs);
  let latest: Deletion__Output | undefined;
  const onState = (deletion: Deletion__Output) => (latest = deletion);
  const isOver = () => query.signal.aborted || (latest !== undefined && Date.now() >= waitUntilMs);
  for (let attempt = 0; ; attempt++) {
    const connection = healthiest(members(), attempt);
    try {
      if (connection === undefined) throw new Fault('unavailable', 'deleter: no address');
      if (query.waitMs === 0) onState(await connection.getDeletion(query, retryUntilMs));
      else await connection.watchDeletion(query, { waitUntilMs, deadlineMs: retryUntilMs, onState });
      return latest && statusOf(latest);
    } catch (error) {
      if (hasCode(error, status.NOT_FOUND)) return undefined;
      const isLast = isOver() || !isLost(error) || Date.now() + retryPauseMs >= retryUntilMs;
      if (isLast && latest !== undefined) return statusOf(latest);
      if (isLast) throw error instanceof Fault ? error : faultOfCall(error);
      await delay(retryPauseMs);
    }
  }
}

function healthiest(members: readonly Member[], attempt: number): Connection | undefined {
  const lowest = Math.min(...members.map(rankOf));
  const candidates = members.filter((member) => rankOf(member) === lowest);
  return candidates[attempt % candidates.length]?.connection;
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
