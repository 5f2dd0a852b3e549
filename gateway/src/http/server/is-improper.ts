import type { IncomingMessage } from 'node:http';

/**
 * Whether the message is one that servers in a row could understand differently, although Node's parser takes it:
 * RFC 9112, 3.2 (exactly one valid Host), 6.1 (no transfer coding but chunked, none at all in HTTP/1.0).
 */
export function isImproper(request: IncomingMessage): boolean {
  const {
    host,
    'transfer-encoding': transferEncoding,
    'content-length': contentLength,
  } = request.headersDistinct;
  if ((host?.length ?? 0) > 1) return true;
  if (host === undefined ? request.httpVersion !== '1.0' : !isAuthority(host[0] ?? '')) return true;
  if (transferEncoding === undefined) return false;
  return (
    request.httpVersion === '1.0' ||
    contentLength !== undefined ||
    transferEncoding.length !== 1 ||
    transferEncoding[0]?.toLowerCase() !== 'chunked'
  );
}

/** RFC 3986, 3.2: a registered name or an address, and perhaps a port; no user, no space, nothing of a path. */
export function isAuthority(text: string): boolean {
  return /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d*)?$/.test(text);
}
