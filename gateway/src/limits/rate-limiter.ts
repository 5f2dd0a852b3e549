import { RateLimiterRes, RateLimiterMemory } from 'rate-limiter-flexible';

export interface RateLimit {
  /** Separates the limits of one storage, and names the policy in the RateLimit headers. */
  readonly name: string;
  /** Points for each key in a window. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The state of a key after a request was counted. */
export interface Quota {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Time until the key has its whole quota again. */
  readonly resetMs: number;
}

/**
 * Counts the points that each key consumes, in windows of a fixed length. A key's window starts with its first points.
 * Every adapter passes rate-limiter.contract.ts.
 *
 * - Of concurrent calls, as many are allowed as the quota permits.
 * - A refused call counts too: it consumes the rest of the quota.
 */
export interface RateLimiter {
  readonly limit: RateLimit;
  /** At least one point. Never rejects. */
  consume(key: string, points: number): Promise<Quota>;
}

/** The state of a key's window. */
export interface WindowCount {
  /** Points consumed so far, including the last call. */
  readonly consumed: number;
  readonly resetMs: number;
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

function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): WindowCount {
  // The library does not count a key that it remembers as exhausted.
  const consumed = consumedPoints === 0 ? Infinity : consumedPoints;
  return { consumed, resetMs: msBeforeNext };
}

/** @param consumed in the window so far, including the call that is answered */
export function quotaOf({ quota }: RateLimit, consumed: number, resetMs: number): Quota {
  return { allowed: consumed <= quota, remaining: Math.max(0, quota - consumed), resetMs };
}

/** Counts for one process and loses its counts with it. Holds every key of the last window in memory. */
export function createMemoryRateLimiter(limit: RateLimit): RateLimiter {
  const limiter = new RateLimiterMemory(memoryOptions(limit));
  return {
    limit,
    consume: async (key, points) => {
      const { consumed, resetMs } = await countPoints(limiter.consume(key, points));
      return quotaOf(limit, consumed, resetMs);
    },
  };
}

export function memoryOptions({ name, quota, windowSeconds }: RateLimit) {
  return { keyPrefix: name, points: quota, duration: windowSeconds };
}
