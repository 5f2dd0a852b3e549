import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the network of a remote address: the address itself for IPv4, its /64 for IPv6, which is the smallest network
 * that a subscriber gets. Every spelling of an address gives the same text.
 */
export function networkOf(address = ''): string {
  // ipaddr.js also accepts spellings such as 0x7f.1.
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
