import type { CompleteOptions } from './client-options.ts';
import { encodeBody } from './encode-body.ts';
import { ConnectionError, problemOf, type ProblemError } from './errors.ts';

export interface DeletionRequest {
  readonly idempotencyKey: string;
  readonly jobIds: readonly string[];
}

export type Answer =
  | { readonly kind: 'accepted'; readonly deletionId: string | undefined }
  | { readonly kind: 'refused'; readonly problem: ProblemError };

type Attempt =
  Answer | { readonly kind: 'retry'; readonly afterMs: number | undefined; readonly error: Error };

const transientStatuses: readonly number[] = [429, 502, 503, 504];

/**
 * Sends one request until it has an answer that a retry would not change. Every attempt has the same Idempotency-Key, so
 * the server accepts the request once.
 * @throws ConnectionError or ProblemError once `retryForMs` is over; the reason of `signal` once it is aborted
 */
export async function sendRequest(
  options: CompleteOptions,
  request: DeletionRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const deadlineMs = Date.now() + options.retryForMs;
  const init = {
    method: 'DELETE',
    headers: headersFor(options, request),
    body: encodeBody(options.format, request.jobIds),
  };
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const outcome = await tryOnce(options, init, signal);
    if (outcome.kind !== 'retry') return outcome;
    const pauseMs = outcome.afterMs ?? backoffMs(attempt);
    if (Date.now() + pauseMs > deadlineMs) throw outcome.error;
    await sleep(pauseMs, signal);
  }
}

async function tryOnce(options: CompleteOptions, init: RequestInit, signal: AbortSignal): Promise<Attempt> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(options.requestTimeoutMs)]);
    const response = await options.fetch(urlOf(options), { ...init, signal: limited });
    const text = await response.text();
    if (response.status === 200)
      return { kind: 'accepted', deletionId: response.headers.get('deletion-id') ?? undefined };
    const problem = problemOf(response, text);
    if (!transientStatuses.includes(response.status)) return { kind: 'refused', problem };
    return { kind: 'retry', afterMs: retryAfterMs(response), error: problem };
  } catch (error) {
    signal.throwIfAborted();
    const message = `no answer from ${urlOf(options)}`;
    return { kind: 'retry', afterMs: undefined, error: new ConnectionError(message, { cause: error }) };
  }
}

function urlOf({ baseUrl, format, sandbox }: CompleteOptions): string {
  return `${String(baseUrl).replace(/\/+$/, '')}/${sandbox ? 'v1-sandbox' : 'v1'}/${format}/jobs-delete`;
}

function headersFor(options: CompleteOptions, { idempotencyKey }: DeletionRequest): Record<string, string> {
  return {
    Authorization: `Bearer ${options.token}`,
    Usersecretkey: options.secretKey,
    Origin: options.origin,
    'Content-Type': `application/${options.format}`,
    'Accept-Language': options.language,
    'User-Agent': options.userAgent,
    'X-Client-Lang': options.clientTechnology,
    'Idempotency-Key': idempotencyKey,
  };
}

/** Reads Retry-After as seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterMs({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Full jitter: up to 200 ms, doubled after each attempt, at most 10 s. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(10_000, 200 * 2 ** (attempt - 1));
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
