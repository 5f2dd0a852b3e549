import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { countPoints } from './count-points.ts';

/**
 * Slows down callers that fail to authenticate.
 *
 * Counts failures per network, never per account or credential: otherwise anybody could lock an account out. Credentials
 * that were right lately pass from a blocked network too, because an attacker may share an address with its victim.
 *
 * Counts in this process only, without a round trip. N gateways allow N times as many attempts.
 */
export interface FailedAuthentications {
  /** Resolves to the time until the network may try again; undefined when it may now. */
  blockedMs(network: string, credentials: string): Promise<number | undefined>;
  passed(credentials: string): void;
  failed(network: string, credentials: string): Promise<void>;
}

export interface FailedAuthenticationsOptions {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Beyond this number, the network with the oldest window is forgotten. */
  readonly maxNetworks?: number;
  /** How many credentials that were right are remembered. */
  readonly maxProven?: number;
}

export function createFailedAuthentications(options: FailedAuthenticationsOptions): FailedAuthentications {
  const { limit, windowSeconds, maxNetworks = 100_000, maxProven = 10_000 } = options;
  const failures = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  // Never read, so the least recently used network is the one with the oldest window.
  const networks = new LRUCache<string, true>({
    max: maxNetworks,
    dispose: (_value, network, reason) => void (reason === 'evict' && failures.delete(network)),
  });
  const proven = new LRUCache<string, true>({ max: maxProven });

  return {
    blockedMs: async (network, credentials) => {
      const found = await failures.get(network);
      if (found === null || found.consumedPoints < limit) return undefined;
      return proven.has(digestOf(credentials)) ? undefined : Math.max(0, found.msBeforeNext);
    },
    passed: (credentials) => void proven.set(digestOf(credentials), true),
    failed: async (network, credentials) => {
      proven.delete(digestOf(credentials));
      const { isFirst } = await countPoints(failures.consume(network));
      if (isFirst) networks.set(network, true);
    },
  };
}

/** No credential stays in memory. */
function digestOf(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}
