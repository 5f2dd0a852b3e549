import { parseUrl } from '@jobs-delete/runtime/config/addresses';
import { openSource, SourceError, type Source } from '../import/open-source.ts';
import type { Io } from '../io.ts';
import { readVersion } from '../version.ts';

export interface Feed extends Pick<Source, 'chunks' | 'stop'> {
  /** The version of the feed, as its server names it. Undefined for a file. */
  readonly etag: string | undefined;
}

export interface FeedLimits {
  readonly maxBytes: number;
  /** From the request to the last byte. */
  readonly timeoutMs: number;
}

const defaultLimits: FeedLimits = { maxBytes: 1_073_741_824, timeoutMs: 600_000 };
const maxRedirects = 5;

export function isUrl(feed: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(feed);
}

/**
 * Opens a file, standard input (`-`) or a URL.
 * @param etag the version that is known already
 * @returns `unchanged` when the server still has that version
 * @throws SourceError
 */
export async function openFeed(
  feed: string,
  etag: string | undefined,
  stdin: Io['stdin'],
  limits: FeedLimits = defaultLimits,
): Promise<Feed | 'unchanged'> {
  if (!isUrl(feed)) {
    const { chunks, stop } = await openSource(feed, stdin);
    return { chunks: bounded(chunks, limits), stop, etag: undefined };
  }
  const stopping = new AbortController();
  const timer = setTimeout(() => stopping.abort(new SourceError('it took too long')), limits.timeoutMs);
  const stop = () => {
    clearTimeout(timer);
    stopping.abort();
  };
  try {
    const response = await request(feed, etag, stopping.signal);
    if (response.status === 304 && etag !== undefined) {
      stop();
      return 'unchanged';
    }
    if (response.status !== 200) throw new SourceError(`the server answered ${String(response.status)}`);
    return {
      chunks: bounded(bytesOf(response, stopping.signal), limits),
      stop,
      etag: response.headers.get('etag') ?? undefined,
    };
  } catch (error) {
    stop();
    throw failureOf(error, stopping.signal);
  }
}

async function request(feed: string, etag: string | undefined, signal: AbortSignal): Promise<Response> {
  const headers = {
    'User-Agent': `jobs-delete-cli/${readVersion()}`,
    ...(etag !== undefined && { 'If-None-Match': etag }),
  };
  let url = usableUrl(feed);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    url = new URL(location, url);
    if (url.protocol !== 'https:') throw new SourceError('the server redirects to an address without https');
  }
  throw new SourceError('the server redirects too often');
}

/** Returns the URL of a feed. Requires TLS on a network, because a changed feed deletes jobs. @throws SourceError */
function usableUrl(feed: string): URL {
  const url = parseUrl(feed);
  if (url === undefined) throw new SourceError('it is not a URL');
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw new SourceError('its address must begin with https://');
  if (url.username !== '' || url.password !== '') throw new SourceError('its address must have no password');
  return url;
}

async function* bytesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    // Node's stream of the body yields Uint8Array.
    for await (const chunk of body ?? []) yield Buffer.from(chunk as Uint8Array);
  } catch (error) {
    throw failureOf(error, signal);
  }
}

async function* bounded(chunks: AsyncIterable<Buffer>, { maxBytes }: FeedLimits): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SourceError(`it is larger than ${String(maxBytes)} bytes`);
    yield chunk;
  }
}

function failureOf(error: unknown, { reason }: AbortSignal): SourceError {
  if (error instanceof SourceError) return error;
  if (reason instanceof SourceError) return reason;
  const { cause, message } = error as Error;
  const detail = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return new SourceError(`the server did not send it (${detail})`, { cause: error });
}
