import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

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
function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}

/** Proxies whose X-Forwarded-For is trusted: a number in a row, or addresses. Undefined trusts none. */
export type TrustProxy = number | readonly string[] | undefined;

export const trustProxyVariables = {
  TRUST_PROXY: z
    .string()
    .transform(parseTrustProxy)
    .optional()
    .describe(
      'proxies whose `X-Forwarded-For` is trusted: how many proxies in a row, or their addresses and CIDR ranges',
    ),
};

/** Names that Express understands. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];

function parseTrustProxy(text: string, context: z.RefinementCtx): NonNullable<TrustProxy> {
  if (/^(?:[1-9]|[1-5]\d)$/.test(text)) return Number(text);
  const ranges = text.split(',').map((range) => range.trim());
  if (ranges.every((range) => namedRanges.includes(range) || isAddressRange(range))) return ranges;
  const message =
    'must be the number of proxies in a row (1 to 59), or their addresses or CIDR ranges, separated by commas';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Refuses /0: a trusted caller can claim any address. */
function isAddressRange(text: string): boolean {
  const [address = ''] = text.split('/');
  // ipaddr.js also accepts spellings such as 0x7f.1.
  if (isIP(address) === 0 || address.includes('%')) return false;
  return text === address || (ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0);
}

/** An app of Express. Its setting `trust proxy fn` is what Express compiles `trust proxy` to. */
interface TrustingApp {
  set(setting: 'trust proxy', value: unknown): unknown;
  get(setting: 'trust proxy fn'): unknown;
}

type TrustCheck = (address: string, hops: number) => boolean;

/** Makes the app trust the proxies, also where an address in X-Forwarded-For has a port. */
export function trustProxies(app: TrustingApp, proxies: TrustProxy): void {
  app.set('trust proxy', proxies ?? false);
  const isTrusted = app.get('trust proxy fn') as TrustCheck;
  const ofAddress: TrustCheck = (address, hops) => isTrusted(withoutPort(address), hops);
  app.set('trust proxy', ofAddress);
}

/** Returns whether an app trusts an address as the nearest proxy. */
export function proxyCheckOf(app: Pick<TrustingApp, 'get'>): (address: string) => boolean {
  const isTrusted = app.get('trust proxy fn') as TrustCheck;
  return (address) => isTrusted(address, 0);
}
