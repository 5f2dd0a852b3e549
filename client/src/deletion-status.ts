import type { CompleteOptions } from './client-options.ts';
import { askFor, sleep } from './send-with-retries.ts';

export interface DeletionStatus {
  readonly deletionId: string;
  readonly state: 'queued' | 'completed' | 'cancelled';
  readonly jobs: number;
  readonly acceptedAt: Date;
  /** Undefined until every job is removed. */
  readonly completedAt: Date | undefined;
  /** When the removal begins; missing if the deletion can no longer be cancelled. */
  readonly removalAt?: Date;
}

interface StatusBody {
  readonly deletion_id: string;
  readonly state: DeletionStatus['state'];
  readonly jobs: number;
  readonly accepted_at: string;
  readonly completed_at: string | null;
  readonly removal_at?: string;
}

export interface RemovedDeletion {
  readonly deletionId: string;
  readonly jobs: number;
  readonly acceptedAt: Date;
  readonly completedAt: Date;
}

/** The deletion was cancelled before its jobs were removed. */
export class DeletionCancelledError extends Error {
  override readonly name = 'DeletionCancelledError';
}

/** Pause between two requests: if `wait` is 0, the server answers at once. */
const pauseMs = 200;

/** @throws DeletionCancelledError, ProblemError, ConnectionError, or the reason of `signal` */
export async function waitUntilRemoved(
  options: CompleteOptions,
  deletionId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<RemovedDeletion> {
  // The server waits up to 30 s. Half of the timeout stays for the answer.
  const waitSeconds = Math.min(30, Math.floor(options.requestTimeoutMs / 2_000));
  for (;;) {
    const status = await askForStatus(options, 'GET', deletionId, signal, `?wait=${String(waitSeconds)}`);
    const { state, jobs, acceptedAt, completedAt } = status;
    if (completedAt !== undefined) return { deletionId: status.deletionId, jobs, acceptedAt, completedAt };
    if (state === 'cancelled') throw new DeletionCancelledError(`the deletion ${deletionId} was cancelled`);
    await sleep(pauseMs, signal);
  }
}

/**
 * Reads the status of a deletion, or cancels it. A repeated cancellation has the same answer.
 * @throws ProblemError, ConnectionError, or the reason of `signal`
 */
export function askForStatus(
  options: CompleteOptions,
  method: 'GET' | 'DELETE',
  deletionId: string,
  signal: AbortSignal | undefined,
  query = '',
): Promise<DeletionStatus> {
  const path = `/v1/deletions/${encodeURIComponent(deletionId)}${query}`;
  return askFor(options, path, method, readStatusBody, signal);
}

function readStatusBody(body: unknown): DeletionStatus | undefined {
  // Checked below, as far as the service and other servers differ.
  const { deletion_id, state, jobs, accepted_at, completed_at, removal_at } = body as StatusBody;
  if (typeof deletion_id !== 'string') return undefined;
  return {
    deletionId: deletion_id,
    state,
    jobs,
    acceptedAt: new Date(accepted_at),
    completedAt: completed_at === null ? undefined : new Date(completed_at),
    ...(removal_at !== undefined && { removalAt: new Date(removal_at) }),
  };
}
