import { RateLimiterMemory } from 'rate-limiter-flexible';
import { counted, quotaOf } from './counted.ts';
import type { RateLimit, RateLimiter } from './rate-limiter.ts';

/** For one process: what it has counted ends with it. Takes memory for each key of the last window. */
export function createMemoryRateLimiter(limit: RateLimit): RateLimiter {
  const limiter = new RateLimiterMemory(memoryOptions(limit));
  return {
    limit,
    draw: async (key, points) => {
      const { drawn, resetMs } = await counted(limiter.consume(key, points));
      return quotaOf(limit, drawn, resetMs);
    },
  };
}

export function memoryOptions({ name, quota, windowSeconds }: RateLimit) {
  return { keyPrefix: name, points: quota, duration: windowSeconds };
}
