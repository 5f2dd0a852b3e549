import { isLoopbackAddress } from './loopback.ts';

/** Returns the hosts of a MongoDB URL for messages, without user, password and options: `mongodb://a:1,b:2`. */
export function mongoHosts(url: string): string | undefined {
  const { scheme, user = '', password = '', hosts } = form.exec(url)?.groups ?? {};
  const isEncoded = [user, password].every(isPercentEncoded);
  return scheme !== undefined && hosts !== undefined && isEncoded ? `${scheme}://${hosts}` : undefined;
}

/** Returns whether the driver would send a password without TLS to another machine. `insecure=true` allows that. */
export function exposesMongoPassword(url: string): boolean {
  const { scheme = '', password = '', hosts = '' } = form.exec(url)?.groups ?? {};
  if (password === '' || hosts.split(',').every(isLoopbackAddress)) return false;
  const options = optionsOf(url);
  if (options.get('insecure') === 'true') return false;
  const tls = options.get('tls') ?? options.get('ssl') ?? String(scheme.endsWith('+srv'));
  return tls !== 'true';
}

/** Returns the URL for the driver, which does not know `insecure`. */
export function withoutInsecure(url: string): string {
  const { address, query } = splitQuery(url);
  if (query === '') return url;
  const options = query.split('&').filter((option) => !/^insecure=/i.test(option));
  return options.length === 0 ? address : `${address}?${options.join('&')}`;
}

/** By lower-case name: the driver ignores the case. An option with two different values is `ambiguous`. */
function optionsOf(url: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(splitQuery(url).query)) {
    const key = name.toLowerCase();
    options.set(key, options.has(key) && options.get(key) !== value ? 'ambiguous' : value);
  }
  return options;
}

/** The first question mark ends the address. Further ones belong to the value of an option. */
function splitQuery(url: string): { readonly address: string; readonly query: string } {
  const [address = '', ...query] = url.split('?');
  return { address, query: query.join('?') };
}

const host = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._%-]+)(?::\d{1,5})?`;

/**
 * Stricter than the driver, which takes part of a password with a raw `@` for a host and names it in errors. Allows
 * a raw `@` only before the hosts.
 */
const form = new RegExp(
  String.raw`^(?<scheme>mongodb(?:\+srv)?)://` +
    String.raw`(?:(?<user>[^\p{Cc}:/?#[\]@]+)(?::(?<password>[^\p{Cc}:/?#[\]@]*))?@)?` +
    String.raw`(?<hosts>${host}(?:,${host})*)` +
    String.raw`(?:/[^\p{Cc}/?#@]*)?(?:\?[^\p{Cc}#@]*)?$`,
  'u',
);

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
