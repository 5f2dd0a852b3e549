import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Quota, RateLimit, RateLimiter } from '../rate-limiter.ts';

const hour = 3_600;

type NewLimiter = (quota: number, windowSeconds?: number) => RateLimiter;

/** The tests that every rate limiter passes. @param create returns an unused limiter */
export function rateLimiterContract(create: (limit: RateLimit) => RateLimiter): void {
  let count = 0;
  const newLimiter: NewLimiter = (quota, windowSeconds = hour) => {
    count += 1;
    return create({ name: `contract${String(count)}`, quota, windowSeconds });
  };
  quotaCases(newLimiter);
  windowCases(newLimiter);
}

const left = ({ allowed, remaining }: Quota) => [allowed, remaining];

function quotaCases(newLimiter: NewLimiter): void {
  test('a key may consume its quota, and no more', async () => {
    const limiter = newLimiter(5);
    expect(left(await limiter.consume('a', 2))).toEqual([true, 3]);
    expect(left(await limiter.consume('a', 3))).toEqual([true, 0]);
    expect(left(await limiter.consume('a', 1))).toEqual([false, 0]);
    expect(left(await limiter.consume('a', 1))).toEqual([false, 0]);
  });

  test('each key of each limit has its own quota', async () => {
    const limiter = newLimiter(1);
    const other = newLimiter(1);
    expect(left(await limiter.consume('a', 1))).toEqual([true, 0]);
    expect(left(await limiter.consume('b', 1))).toEqual([true, 0]);
    expect(left(await other.consume('a', 1))).toEqual([true, 0]);
    expect(left(await limiter.consume('a', 1))).toEqual([false, 0]);
  });

  test('a refused call consumes the rest of the quota', async () => {
    const limiter = newLimiter(5);
    expect(left(await limiter.consume('a', 4))).toEqual([true, 1]);
    expect(left(await limiter.consume('a', 2))).toEqual([false, 0]);
    expect(left(await limiter.consume('a', 1))).toEqual([false, 0]);
  });

  test('of concurrent calls, exactly as many are allowed as the quota permits', async () => {
    const limiter = newLimiter(100);
    const quotas = await Promise.all(Array.from({ length: 150 }, () => limiter.consume('a', 1)));
    const allowed = quotas.filter((quota) => quota.allowed);
    expect(allowed).toHaveLength(100);
    expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(100);
  });
}

function windowCases(newLimiter: NewLimiter): void {
  test('every answer has the time until the end of the window', async () => {
    const limiter = newLimiter(1);
    for (let call = 0; call < 3; call++) {
      const { resetMs } = await limiter.consume('a', 1);
      expect(resetMs).toBeGreaterThan(hour * 1_000 - 60_000);
      expect(resetMs).toBeLessThanOrEqual(hour * 1_000);
    }
  });

  test('after its window a key has its whole quota again', async () => {
    const limiter = newLimiter(2, 1);
    expect(left(await limiter.consume('a', 3))).toEqual([false, 0]);
    const startedAt = performance.now();
    let quota: Quota;
    do {
      // Lets timers run: the limiter and jest use them.
      await setImmediate();
      quota = await limiter.consume('a', 2);
    } while (!quota.allowed && performance.now() - startedAt < 60_000);
    expect(quota).toMatchObject({ allowed: true, remaining: 0 });
  });
}
