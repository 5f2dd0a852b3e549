import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type RateLimit, type RateLimiter, countPoints, quotaOf } from './rate-limiter.ts';

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
