import type { IncomingMessage } from 'node:http';

/**
 * Returns whether two servers could understand the message differently, although Node's parser accepts it. A proper
 * request has one valid Host (RFC 9112, 3.2), and no transfer coding but chunked (6.1; HTTP/1.0: none).
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

/**
 * Returns the path and query of a request target (RFC 9112, 3.2), as sent. `*` stays `*`. Returns undefined for anything
 * else, such as a target with a fragment, which two servers could understand differently.
 */
export function originForm(target: string): string | undefined {
  if (target.includes('#')) return undefined;
  if (target === '*' || target.startsWith('/')) return target;
  const [, authority = '', path = ''] = /^https?:\/\/([^/?]+)(.*)$/i.exec(target) ?? [];
  if (authority === '' || authority.startsWith(':') || !isAuthority(authority)) return undefined;
  return path.startsWith('/') ? path : `/${path}`;
}

/** RFC 3986, 3.2: a name or an address, with an optional port. No user, no space, no path. */
function isAuthority(text: string): boolean {
  return /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d*)?$/.test(text);
}
