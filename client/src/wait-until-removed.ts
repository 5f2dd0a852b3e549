import type { CompleteOptions } from './client-options.ts';
import { problemOf } from './errors.ts';
import { callerHeaders, sendWithRetries, sleep } from './send-with-retries.ts';

export interface RemovedDeletion {
  readonly deletionId: string;
  readonly jobs: number;
  readonly acceptedAt: Date;
  readonly completedAt: Date;
}

interface StatusBody {
  readonly deletion_id: string;
  readonly jobs: number;
  readonly accepted_at: string;
  readonly completed_at: string | null;
}

/** Pause between two requests. A server that is not to wait answers at once. */
const pauseMs = 200;

/** @throws ProblemError, ConnectionError, or the reason of `signal` */
export async function waitUntilRemoved(
  options: CompleteOptions,
  deletionId: string,
  signal: AbortSignal,
): Promise<RemovedDeletion> {
  // The server waits up to 30 s. Half of the timeout stays for the answer.
  const waitSeconds = Math.min(30, Math.floor(options.requestTimeoutMs / 2_000));
  const path = `/v1/deletions/${encodeURIComponent(deletionId)}?wait=${String(waitSeconds)}`;
  const init = { headers: callerHeaders(options) };
  for (;;) {
    const { response, text } = await sendWithRetries(options, path, init, signal);
    if (response.status !== 200) throw problemOf(response, text);
    const { deletion_id, jobs, accepted_at, completed_at } = JSON.parse(text) as StatusBody;
    if (completed_at === null) {
      await sleep(pauseMs, signal);
      continue;
    }
    return {
      deletionId: deletion_id,
      jobs,
      acceptedAt: new Date(accepted_at),
      completedAt: new Date(completed_at),
    };
  }
}
