import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { countPoints } from './rate-limiter.ts';

/**
 * Slows down callers that fail to authenticate.
 *
 * Counts failures per network, never per account or credential: otherwise anybody could lock an account out.
 * Counts in this process only, without a round trip. N gateways allow N times as many attempts.
 */
export interface FailedAuthentications {
  /** Resolves to the time until the network may try again; undefined when it may now. */
  blockedMs(network: string): Promise<number | undefined>;
  failed(network: string): Promise<void>;
}

export interface FailedAuthenticationsOptions {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Beyond this number, the network with the oldest window is forgotten. */
  readonly maxNetworks?: number;
}

export function createFailedAuthentications(options: FailedAuthenticationsOptions): FailedAuthentications {
  const { limit, windowSeconds, maxNetworks = 100_000 } = options;
  const failures = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  // Never read, so the least recently used network is the one with the oldest window.
  const networks = new LRUCache<string, true>({
    max: maxNetworks,
    dispose: (_value, network, reason) => void (reason === 'evict' && failures.delete(network)),
  });

  return {
    blockedMs: async (network) => {
      const found = await failures.get(network);
      if (found === null || found.consumedPoints < limit) return undefined;
      return Math.max(0, found.msBeforeNext);
    },
    failed: async (network) => {
      const { isFirst } = await countPoints(failures.consume(network));
      if (isFirst) networks.set(network, true);
    },
  };
}
