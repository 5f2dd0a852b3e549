import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Quota, RateLimit } from './rate-limiter.ts';

/** What has been drawn in the window of a key, the latest draw included. */
export interface Counted {
  readonly drawn: number;
  readonly resetMs: number;
  readonly isFirst: boolean;
}

/** The library rejects with its result where the quota is passed. */
export async function counted(consumed: Promise<RateLimiterRes>): Promise<Counted> {
  try {
    return countedOf(await consumed);
  } catch (result) {
    if (result instanceof RateLimiterRes) return countedOf(result);
    throw result;
  }
}

function countedOf({ consumedPoints, msBeforeNext, isFirstInDuration }: RateLimiterRes): Counted {
  // Of a key that it has known to be exhausted it counts no more.
  const drawn = consumedPoints === 0 ? Infinity : consumedPoints;
  return { drawn, resetMs: msBeforeNext, isFirst: isFirstInDuration };
}

/** @param drawn in the window so far, the draw itself included */
export function quotaOf({ quota }: RateLimit, drawn: number, resetMs: number): Quota {
  return { allowed: drawn <= quota, remaining: Math.max(0, quota - drawn), resetMs };
}
