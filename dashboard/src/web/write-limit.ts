import { LRUCache } from 'lru-cache';

/** Bounds what one person makes the dashboard write: forms and sign-ins. Each process counts alone. */
export interface WriteLimit {
  /** Counts one write of a person, by the id. False: there were too many. */
  allows(key: string): boolean;
  /** The same for the next one, without counting it. */
  isReached(key: string): boolean;
}

const windowMs = 15 * 60_000;
const maxKeys = 100_000;

/** Counts in windows that begin with the first write. Beyond `maxKeys`, forgets the least recently used key. */
export function createWriteLimit(now: () => number, maxWrites = 300): WriteLimit {
  const counts = new LRUCache<string, { count: number; readonly sinceMs: number }>({ max: maxKeys });
  const current = (key: string) => {
    const found = counts.get(key);
    return found !== undefined && now() - found.sinceMs < windowMs ? found : undefined;
  };
  return {
    allows: (key) => {
      const found = current(key) ?? { count: 0, sinceMs: now() };
      found.count += 1;
      counts.set(key, found);
      return found.count <= maxWrites;
    },
    isReached: (key) => (current(key)?.count ?? 0) >= maxWrites,
  };
}
