/**
 * Shares a number of permits among keys, such as accounts, without a queue. A key may hold up to `share` times the permits
 * that are free, so some stay free for every other key: with a share of 3, one key alone holds three quarters, and each
 * of n keys gets 3 of 1 + 3n parts (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking 6/2, 1998).
 */
export interface FairPermits {
  /** Takes permits for a key; false, and none taken, if that would exceed its share. The weight is at least 1. */
  take(key: string, weight?: number): boolean;
  /** Gives permits back that the key has taken. */
  give(key: string, weight?: number): void;
  /** Permits held by a key, or by all. */
  held(key?: string): number;
}

export interface FairPermitsOptions {
  /** The number of permits; it may change. While fewer exist than are held, none is given out. */
  readonly total: () => number;
  /** Default: 3. */
  readonly share?: number;
}

/** A key that holds nothing takes no memory, and may take whatever is free. */
export function createFairPermits({ total, share = 3 }: FairPermitsOptions): FairPermits {
  const heldBy = new Map<string, number>();
  let heldByAll = 0;
  return {
    take: (key, weight = 1) => {
      const own = heldBy.get(key) ?? 0;
      const free = total() - heldByAll;
      if (free <= 0 || (weight > free && heldByAll > 0)) return false;
      if (own > 0 && own + weight > share * free) return false;
      heldBy.set(key, own + weight);
      heldByAll += weight;
      return true;
    },
    give: (key, weight = 1) => {
      const left = (heldBy.get(key) ?? 0) - weight;
      if (left > 0) heldBy.set(key, left);
      else heldBy.delete(key);
      heldByAll -= weight;
    },
    held: (key) => (key === undefined ? heldByAll : (heldBy.get(key) ?? 0)),
  };
}
