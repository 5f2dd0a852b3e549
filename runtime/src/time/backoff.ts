import type { Random } from './clock.ts';

/**
 * Returns a wait with full jitter (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/):
 * random, up to 100 ms doubled at each failure, at most `maxMs`.
 * @param failures the number of failed attempts, at least 1
 */
export function backoffMs(failures: number, random: Random, maxMs = 30_000): number {
  const ceilingMs = Math.min(maxMs, 100 * 2 ** Math.min(failures - 1, 20));
  return Math.ceil(ceilingMs * random.fraction());
}
