/** Returns the hosts of a MongoDB URL for messages, without user, password and options: `mongodb://a:1,b:2`. */
export function mongoHosts(url: string): string | undefined {
  const { scheme, user = '', password = '', hosts } = form.exec(url)?.groups ?? {};
  const isEncoded = [user, password].every(isPercentEncoded);
  return scheme !== undefined && hosts !== undefined && isEncoded ? `${scheme}://${hosts}` : undefined;
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
