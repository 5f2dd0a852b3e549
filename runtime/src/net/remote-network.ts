import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returned for a text that holds no address, such as the `unknown` of some proxies. */
export const unknownNetwork = 'unknown';

/**
 * Returns the network of a remote address: the address itself for IPv4, its /64 for IPv6, which is the smallest network
 * that a subscriber gets. Every spelling of an address gives the same text, with a port or without.
 */
export function networkOf(text = ''): string {
  const address = withoutPort(text);
  // ipaddr.js also accepts spellings such as 0x7f.1.
  if (isIP(address) === 0) return unknownNetwork;
  // ipaddr.js throws for some zones (RFC 4007), and takes ::192.0.2.7 for ::ffff:192.0.2.7.
  const parsed = ipaddr.process(address.replace(/%.*$/s, '').replace(/^::(?=\d+\.)/, '0::'));
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** Returns the address of `192.0.2.7:443`, `[2001:db8::1]:443` and `[2001:db8::1]`, as some proxies write them; other text as it is. */
export function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
