import type { CompleteOptions } from './client-options.ts';
import { ConnectionError, problemOf, type ProblemError } from './errors.ts';

interface Received {
  readonly response: Response;
  readonly text: string;
  /** True if an earlier attempt may have had an effect. */
  readonly isRepeated: boolean;
}

interface DeletionRequest {
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

/** Why a request is sent again. */
interface Failure {
  readonly afterMs: number | undefined;
  readonly error: Error;
  /** A request over the quota has none. */
  readonly mayHaveEffect: boolean;
}

const transientStatuses: readonly number[] = [429, 502, 503, 504];

/**
 * Sends a request until it has an answer that a retry would not change.
 * @throws ConnectionError or ProblemError once `retryForMs` is over; ConnectionError at once if no retry can help; the reason of
 * `signal` once it is aborted
 */
async function sendWithRetries(
  options: CompleteOptions,
  path: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Received> {
  const deadlineMs = Date.now() + options.retryForMs;
  const url = `${String(options.baseUrl).replace(/\/+$/, '')}${path}`;
  let isRepeated = false;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const request = { method: init.method ?? 'GET', url, attempt };
    options.onRequest(request);
    const outcome = await tryOnce(options, url, init, signal);
    if ('response' in outcome) return { ...outcome, isRepeated };
    isRepeated ||= outcome.mayHaveEffect;
    const pauseMs = outcome.afterMs ?? backoffMs(attempt);
    if (Date.now() + pauseMs > deadlineMs) throw outcome.error;
    options.onRetry({ ...request, error: outcome.error, pauseMs });
    await sleep(pauseMs, signal);
  }
}

/**
 * Sends the request of a deletion. Every attempt has the same Idempotency-Key, so the server accepts the request once.
 * @throws as `sendWithRetries`
 */
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

/**
 * Sends a request without a body. Returns what `read` makes of the JSON body of a 200. A `read` that fails, or returns undefined,
 * tells that something other than the service has answered.
 * @throws as `sendWithRetries`; ProblemError for any other answer
 */
export async function askFor<Result>(
  options: CompleteOptions,
  path: string,
  method: 'GET' | 'DELETE',
  read: (body: unknown) => Result | undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result> {
  const init = { method, headers: callerHeaders(options) };
  const { response, text } = await sendWithRetries(options, path, init, signal);
  const result = response.status === 200 ? readSafely(text, read) : undefined;
  if (result === undefined) throw problemOf(response, text);
  return result;
}

function readSafely<Result>(text: string, read: (body: unknown) => Result | undefined): Result | undefined {
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the headers that every endpoint requires. */
function callerHeaders(options: CompleteOptions): Record<string, string> {
  return {
    Authorization: `Bearer ${options.token}`,
    Usersecretkey: options.secretKey,
    Origin: options.origin,
    'Accept-Language': options.language,
    'User-Agent': options.userAgent,
    'X-Client-Lang': options.clientTechnology,
  };
}

/** @throws ConnectionError if no retry can help */
async function tryOnce(
  options: CompleteOptions,
  url: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Omit<Received, 'isRepeated'> | Failure> {
  try {
    const { response, text } = await within(options.requestTimeoutMs, signal, async (limited) => {
      // Following a redirect could send the secret key elsewhere, or turn a DELETE into a GET that answers 200.
      const answer = await options.fetch(url, { ...init, redirect: 'manual', signal: limited });
      return { response: answer, text: await answer.text() };
    });
    reached.add(String(options.baseUrl));
    if (!transientStatuses.includes(response.status)) return { response, text };
    const mayHaveEffect = response.status !== 429;
    return { afterMs: retryAfterMs(response), error: problemOf(response, text), mayHaveEffect };
  } catch (error) {
    signal.throwIfAborted();
    const { message, code } = deepestCause(error);
    const lost = new ConnectionError(`no answer from ${url}: ${message}`, { cause: error });
    const isUnknownHost = code === 'ENOTFOUND' && !reached.has(String(options.baseUrl));
    if (isUnknownHost || hopelessCodes.has(code)) throw lost;
    return { afterMs: undefined, error: lost, mayHaveEffect: true };
  }
}

/** Addresses that have answered. A name that is not found later is an outage of the name service. */
const reached = new Set<string>();

/** Codes of Node for a server without TLS, and for a certificate that is not valid. */
const hopelessCodes: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Fields of an error of `fetch`. */
interface Cause {
  readonly message?: string;
  readonly code?: string;
  readonly cause?: Cause;
  readonly errors?: readonly Cause[];
}

/** `fetch` fails with "fetch failed", whose cause says why. A host with several addresses has one cause for each. */
function deepestCause(error: unknown): { readonly message: string; readonly code: string } {
  // A `fetch` of the caller may throw anything.
  const { cause, errors, message = String(error), code = '' } = (error ?? {}) as Cause;
  const deeper = cause ?? errors?.[0];
  return deeper === undefined ? { message, code } : deepestCause(deeper);
}

/**
 * Runs a request that a timeout or the caller aborts. `AbortSignal.any` would leave an entry on the caller's signal for each
 * request (https://github.com/nodejs/node/issues/55351).
 */
async function within<Result>(
  ms: number,
  signal: AbortSignal,
  run: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limited = new AbortController();
  const abort = () => limited.abort(signal.reason);
  const timer = setTimeout(() => limited.abort(new DOMException('timeout', 'TimeoutError')), ms);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    return await run(limited.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
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

/** @throws the reason of `signal` once it is aborted */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
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
