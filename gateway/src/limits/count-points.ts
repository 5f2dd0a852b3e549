import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Quota, RateLimit } from './rate-limiter.ts';

/** The state of a key's window. */
export interface WindowCount {
  /** Points consumed so far, including the last call. */
  readonly consumed: number;
  readonly resetMs: number;
  /** True if the last call started the window. */
  readonly isFirst: boolean;
}

/** Resolves in both cases: the library rejects with its result when the quota is exceeded. */
export async function countPoints(consumption: Promise<RateLimiterRes>): Promise<WindowCount> {
  try {
    return countOf(await consumption);
  } catch (result) {
    if (result instanceof RateLimiterRes) return countOf(result);
    throw result;
  }
}

function countOf({ consumedPoints, msBeforeNext, isFirstInDuration }: RateLimiterRes): WindowCount {
  // The library does not count a key that it remembers as exhausted.
  const consumed = consumedPoints === 0 ? Infinity : consumedPoints;
  return { consumed, resetMs: msBeforeNext, isFirst: isFirstInDuration };
}

/** @param consumed in the window so far, including the call that is answered */
export function quotaOf({ quota }: RateLimit, consumed: number, resetMs: number): Quota {
  return { allowed: consumed <= quota, remaining: Math.max(0, quota - consumed), resetMs };
}
