import { status } from '@grpc/grpc-js';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { hasCode } from '@jobs-delete/proto/client-channel';
import { linkAbort } from '@jobs-delete/runtime/process/link-abort';
import { faultOfCall, isLost } from './answer.ts';
import type { Connection } from './connection.ts';
import { callReplica, repeatCall, type CallOptions } from './repeat-call.ts';

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
