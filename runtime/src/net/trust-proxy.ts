import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { withoutPort } from './remote-network.ts';

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
