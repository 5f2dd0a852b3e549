import type { CompleteOptions } from './client-options.ts';
import { problemOf, type ProblemError } from './errors.ts';
import { callerHeaders, sendWithRetries } from './send-with-retries.ts';

export interface DeletionRequest {
  readonly idempotencyKey: string;
  readonly jobIds: readonly string[];
}

export type Answer =
  | { readonly kind: 'accepted'; readonly deletionId: string | undefined }
  | {
      readonly kind: 'refused';
      readonly problem: ProblemError;
      /** True if this or an earlier attempt may have been accepted, as far as the status shows. */
      readonly mayBeAccepted: boolean;
    };

/** Every attempt has the same Idempotency-Key, so the server accepts the request once. @throws as `sendWithRetries` */
export async function sendRequest(
  options: CompleteOptions,
  { idempotencyKey, jobIds }: DeletionRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { format, sandbox } = options;
  const path = `/${sandbox ? 'v1-sandbox' : 'v1'}/${format}/jobs-delete`;
  const headers = {
    ...callerHeaders(options),
    'Content-Type': `application/${format}`,
    'Idempotency-Key': idempotencyKey,
    // Otherwise a refusal names 100 jobs, and the rest of them needs a request for each hundred.
    Prefer: 'errors=all',
  };
  const init = { method: 'DELETE', headers, body: encodeBody(format, jobIds) };
  const { response, text, isRepeated } = await sendWithRetries(options, path, init, signal);
  const deletionId = response.headers.get('deletion-id') ?? undefined;
  if (response.status === 200 && (sandbox || deletionId !== undefined))
    return { kind: 'accepted', deletionId };
  // A 200 without a deletion comes from a proxy or another server.
  const mayBeAccepted = isRepeated || response.status === 200 || response.status >= 500;
  return { kind: 'refused', problem: problemOf(response, text), mayBeAccepted };
}

function encodeBody(format: 'json' | 'xml', jobIds: readonly string[]): string {
  if (format === 'json') return JSON.stringify({ jobs: { job: jobIds.map((id) => ({ id })) } });
  const jobs = jobIds.map((id) => `<job><id>${escapeXml(id)}</id></job>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><jobs>${jobs}</jobs>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
