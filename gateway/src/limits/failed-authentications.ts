import { createHash } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { counted } from './counted.ts';

/**
 * Keeps those who fail to authenticate from going on with it.
 *
 * Counted is by network, never by account or credential, so that nobody can lock an account out by failing in its
 * name; and credentials that have been right lately are let through from anywhere, so that nobody can by failing from
 * the same network either, be it because both stand behind one address.
 *
 * Counted is in this process alone, which costs no round trip: of so many gateways an attacker has so many times the
 * attempts, against credentials that can't be guessed in any number of them.
 */
export interface FailedAuthentications {
  /** How long the network has to wait, or undefined. */
  blockedMs(network: string, credentials: string): Promise<number | undefined>;
  passed(credentials: string): void;
  failed(network: string, credentials: string): Promise<void>;
}

export interface FailedAuthenticationsOptions {
  readonly limit: number;
  readonly windowSeconds: number;
  /** The one whose window began first is forgotten for another. */
  readonly maxNetworks?: number;
  readonly maxProven?: number;
}

export function createFailedAuthentications(options: FailedAuthenticationsOptions): FailedAuthentications {
  const { limit, windowSeconds, maxNetworks = 100_000, maxProven = 10_000 } = options;
  const failures = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const networks = createLatest(maxNetworks, (network) => void failures.delete(network));
  const proven = createLatest(maxProven);

  return {
    blockedMs: async (network, credentials) => {
      const found = await failures.get(network);
      if (found === null || found.consumedPoints < limit) return undefined;
      return proven.has(digestOf(credentials)) ? undefined : Math.max(0, found.msBeforeNext);
    },
    passed: (credentials) => proven.add(digestOf(credentials)),
    failed: async (network, credentials) => {
      proven.delete(digestOf(credentials));
      const { isFirst } = await counted(failures.consume(network));
      if (isFirst) networks.add(network);
    },
  };
}

/** Keeps no credential. */
function digestOf(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}

/** The so many that were added last. */
function createLatest(maxSize: number, onForgotten?: (oldest: string) => void) {
  const kept = new Set<string>();
  return {
    has: (key: string) => kept.has(key),
    delete: (key: string) => void kept.delete(key),
    add: (key: string) => {
      kept.delete(key);
      kept.add(key);
      if (kept.size <= maxSize) return;
      for (const oldest of kept) {
        kept.delete(oldest);
        onForgotten?.(oldest);
        return;
      }
    },
  };
}
