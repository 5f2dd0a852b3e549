import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Somebody tries to prove who they are. */
export interface Attempt {
  readonly network: string;
  /** The address, whether or not somebody has it. */
  readonly email: string;
  /** Identifies a browser that has signed in as this person before. */
  readonly knownBrowser: string | undefined;
}

/**
 * Limits wrong passwords and codes. Each process counts alone, so the limit grows with the number of replicas. Each known
 * browser has a separate limit, so strangers cannot lock its owner out.
 */
export interface AttemptLimits {
  /** Counts the attempt as a failure until `succeeded` is called, so parallel attempts are counted too. */
  begin(attempt: Attempt): Beginning;
  succeeded(attempt: Attempt): void;
}

export type Beginning =
  | { readonly kind: 'allowed'; readonly delayMs: number }
  | { readonly kind: 'blocked'; readonly waitMs: number };

export interface AttemptLimitsOptions {
  readonly now: () => number;
  /** Failures of one person over all networks, from unknown browsers. Beyond it, attempts wait or are blocked. */
  readonly everywhere: { readonly limit: number; readonly then: 'wait' | 'block' };
}

const limitPerNetwork = 30;
const limitPerPerson = 10;
const delayMs = 2_000;

export function createAttemptLimits({ now, everywhere }: AttemptLimitsOptions): AttemptLimits {
  const failures = createAttemptCounts(now);
  const networkKey = ({ network }: Attempt) => `network ${network}`;
  const personKey = ({ network, email }: Attempt) => `person ${network} ${email}`;
  const everywhereKey = ({ email }: Attempt) => `everywhere ${email}`;
  const browserKey = ({ email, knownBrowser = '' }: Attempt) => `browser ${knownBrowser} ${email}`;
  const limitsOf = (attempt: Attempt): readonly (readonly [key: string, limit: number])[] =>
    attempt.knownBrowser !== undefined
      ? [[browserKey(attempt), limitPerPerson]]
      : [
          [networkKey(attempt), limitPerNetwork],
          [personKey(attempt), limitPerPerson],
          [everywhereKey(attempt), everywhere.then === 'block' ? everywhere.limit : Infinity],
        ];

  return {
    begin: (attempt) => {
      const limits = limitsOf(attempt);
      const waits = limits.map(([key, limit]) => failures.blockedMs(key, limit));
      const waitMs = Math.max(...waits);
      if (waitMs > 0) return { kind: 'blocked', waitMs };
      const isSlow =
        attempt.knownBrowser === undefined && failures.count(everywhereKey(attempt)) >= everywhere.limit;
      for (const [key] of limits) failures.add(key, 1);
      return { kind: 'allowed', delayMs: isSlow ? delayMs : 0 };
    },
    succeeded: (attempt) => {
      for (const [key] of limitsOf(attempt)) failures.add(key, -1);
    },
  };
}

interface AttemptCount {
  count: number;
  readonly sinceMs: number;
}

/** Counts by key, in windows that begin with the first count. Beyond `maxKeys`, forgets the least recently used key. */
export function createAttemptCounts(now: () => number, { windowMs = 15 * 60_000, maxKeys = 100_000 } = {}) {
  const counts = new LRUCache<string, AttemptCount>({ max: maxKeys });
  const current = (text: string) => {
    const key = keyOf(text);
    const found = counts.get(key);
    return { key, found: found !== undefined && now() - found.sinceMs < windowMs ? found : undefined };
  };
  return {
    count: (text: string) => current(text).found?.count ?? 0,
    /** The rest of the window if the limit is reached, otherwise 0. */
    blockedMs: (text: string, limit: number) => {
      const { found } = current(text);
      return found !== undefined && found.count >= limit ? found.sinceMs + windowMs - now() : 0;
    },
    add: (text: string, count: number) => {
      const { key, found } = current(text);
      if (found !== undefined) found.count = Math.max(0, found.count + count);
      else if (count > 0) counts.set(key, { count, sinceMs: now() });
    },
  };
}

/** Keys have one size, however long an address is. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
