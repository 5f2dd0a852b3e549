import type { CompleteOptions } from './client-options.ts';
import { problemOf } from './errors.ts';
import { callerHeaders, sendWithRetries } from './send-with-retries.ts';

export interface DeletionStatus {
  readonly deletionId: string;
  readonly state: 'queued' | 'completed' | 'cancelled';
  readonly jobs: number;
  readonly acceptedAt: Date;
  /** Undefined until every job is removed. */
  readonly completedAt: Date | undefined;
}

interface StatusBody {
  readonly deletion_id: string;
  readonly state: DeletionStatus['state'];
  readonly jobs: number;
  readonly accepted_at: string;
  readonly completed_at: string | null;
}

/** @throws ProblemError, ConnectionError, or the reason of `signal` */
export async function readStatus(
  options: CompleteOptions,
  deletionId: string,
  signal: AbortSignal,
  query = '',
): Promise<DeletionStatus> {
  const path = `/v1/deletions/${encodeURIComponent(deletionId)}${query}`;
  const { response, text } = await sendWithRetries(
    options,
    path,
    { headers: callerHeaders(options) },
    signal,
  );
  const status = response.status === 200 ? parseStatus(text) : undefined;
  if (status === undefined) throw problemOf(response, text);
  return status;
}

/** Returns undefined for a body of something other than the service. */
function parseStatus(text: string): DeletionStatus | undefined {
  try {
    const { deletion_id, state, jobs, accepted_at, completed_at } = JSON.parse(text) as StatusBody;
    if (typeof deletion_id !== 'string') return undefined;
    const completedAt = completed_at === null ? undefined : new Date(completed_at);
    return { deletionId: deletion_id, state, jobs, acceptedAt: new Date(accepted_at), completedAt };
  } catch {
    return undefined;
  }
}
