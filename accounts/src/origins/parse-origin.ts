/** `scheme://host[:port]` and nothing else: no path, user, query, white space, escape or empty port. */
const shape = /^https?:\/\/(?<host>\[[0-9a-f:.]+\]|[a-z0-9._\x80-\uffff-]+)(?::[1-9][0-9]{0,4})?$/i;

/** Longer than any: a host has at most 253 characters. It bounds what the URL parser is given. */
const maxLength = 300;

/**
 * Reads an http or https origin by the WHATWG URL rules: lower case, punycode, default ports dropped. The rules
 * also take other spellings of a host for it (`0x7f.1` for 127.0.0.1, full-width letters for ASCII). No browser
 * sends those, so that they are refused: an ASCII host must be its own normal form but for the letter case, and
 * a host with other characters must be a domain name that needs punycode.
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
  return isNormal && !labels.includes('') ? url : undefined;
}

/** Not by URL.canParse: once Node 20 has optimized the call, it is wrong about text with characters like ü. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
