import type { CompleteOptions } from './client-options.ts';
import { readStatus } from './deletion-status.ts';
import { sleep } from './send-with-retries.ts';

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

/** Pause between two requests. A server that is not to wait answers at once. */
const pauseMs = 200;

/** @throws DeletionCancelledError, ProblemError, ConnectionError, or the reason of `signal` */
export async function waitUntilRemoved(
  options: CompleteOptions,
  deletionId: string,
  signal: AbortSignal,
): Promise<RemovedDeletion> {
  // The server waits up to 30 s. Half of the timeout stays for the answer.
  const waitSeconds = Math.min(30, Math.floor(options.requestTimeoutMs / 2_000));
  for (;;) {
    const status = await readStatus(options, deletionId, signal, `?wait=${String(waitSeconds)}`);
    const { state, completedAt, jobs, acceptedAt } = status;
    if (completedAt !== undefined) return { deletionId: status.deletionId, jobs, acceptedAt, completedAt };
    if (state === 'cancelled') throw new DeletionCancelledError(`the deletion ${deletionId} was cancelled`);
    await sleep(pauseMs, signal);
  }
}
