import { domainToUnicode } from 'node:url';

/** `scheme://host[:port]` and nothing else: no path, user, query, white space, escape or empty port. */
const shape = /^https?:\/\/(?<host>\[[0-9a-f:.]+\]|[a-z0-9._\x80-\uffff-]+)(?::[1-9][0-9]{0,4})?$/i;

/** Bounds the work of the URL parser. A host has at most 253 characters. */
const maxLength = 300;

/**
 * Parses an http or https origin by the WHATWG URL rules: lower case, punycode, no default ports. Refuses spellings of
 * a host that the rules accept but no browser sends (`0x7f.1` for 127.0.0.1, full-width letters): an ASCII host must be
 * in normal form apart from its letter case, and any other host must need punycode.
 */
export function parseOrigin(text: string): URL | undefined {
  const host = text.length <= maxLength ? shape.exec(text)?.groups?.host : undefined;
  const url = host === undefined ? undefined : parseUrl(text);
  if (host === undefined || url === undefined) return undefined;
  const labels = url.hostname.split('.');
  const isAscii = !/[\x80-\uffff]/.test(host);
  const isNormal = isAscii
    ? url.hostname === host.toLowerCase()
    : labels.some((label) => label.startsWith('xn--'));
  return isNormal && !labels.includes('') && labels.every(isDecodable) ? url : undefined;
}

/** Newer releases of Node accept a label such as `xn--a`, which is no punycode, and leave it as it is. */
function isDecodable(label: string): boolean {
  return !label.startsWith('xn--') || !/^(?:xn--|$)/.test(domainToUnicode(label));
}

/** Avoids URL.canParse: in Node 20, the optimized call gives wrong results for characters such as ü. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
