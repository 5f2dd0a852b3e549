import type { Random } from './clock.ts';

/**
 * Full jitter (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/): a random
 * wait of up to 100 ms doubled at each failure, at most 30 s.
 * @param failures how many attempts have failed so far, at least 1
 */
export function backOffMs(failures: number, random: Random): number {
  const ceilingMs = Math.min(30_000, 100 * 2 ** Math.min(failures - 1, 20));
  return Math.ceil(ceilingMs * random.fraction());
}
