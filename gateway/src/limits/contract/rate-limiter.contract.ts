import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Quota, RateLimit, RateLimiter } from '../rate-limiter.ts';

const hour = 3_600;

/** What every rate limiter does. @param create one that nobody has drawn on */
export function rateLimiterContract(create: (limit: RateLimit) => RateLimiter): void {
  let last = 0;
  const newLimiter = (quota: number, windowSeconds = hour) => {
    last += 1;
    return create({ name: `contract${String(last)}`, quota, windowSeconds });
  };
  const left = ({ allowed, remaining }: Quota) => [allowed, remaining];

  test('a key may draw its quota, and no more', async () => {
    const limiter = newLimiter(5);
    expect(left(await limiter.draw('a', 2))).toEqual([true, 3]);
    expect(left(await limiter.draw('a', 3))).toEqual([true, 0]);
    expect(left(await limiter.draw('a', 1))).toEqual([false, 0]);
    expect(left(await limiter.draw('a', 1))).toEqual([false, 0]);
  });

  test('keys have a quota each, and so have limits of another name', async () => {
    const limiter = newLimiter(1);
    const other = newLimiter(1);
    expect(left(await limiter.draw('a', 1))).toEqual([true, 0]);
    expect(left(await limiter.draw('b', 1))).toEqual([true, 0]);
    expect(left(await other.draw('a', 1))).toEqual([true, 0]);
    expect(left(await limiter.draw('a', 1))).toEqual([false, 0]);
  });

  test('a draw that doesn’t fit uses up what was left', async () => {
    const limiter = newLimiter(5);
    expect(left(await limiter.draw('a', 4))).toEqual([true, 1]);
    expect(left(await limiter.draw('a', 2))).toEqual([false, 0]);
    expect(left(await limiter.draw('a', 1))).toEqual([false, 0]);
  });

  test('it says how long the window goes on', async () => {
    const limiter = newLimiter(1);
    for (let draw = 0; draw < 3; draw++) {
      const { resetMs } = await limiter.draw('a', 1);
      expect(resetMs).toBeGreaterThan(hour * 1_000 - 60_000);
      expect(resetMs).toBeLessThanOrEqual(hour * 1_000);
    }
  });

  test('of draws at the same time so many are allowed as fit, each once', async () => {
    const limiter = newLimiter(100);
    const quotas = await Promise.all(Array.from({ length: 150 }, () => limiter.draw('a', 1)));
    const allowed = quotas.filter((quota) => quota.allowed);
    expect(allowed).toHaveLength(100);
    expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(100);
  });

  test('after its window a key has its whole quota again', async () => {
    const limiter = newLimiter(2, 1);
    expect(left(await limiter.draw('a', 3))).toEqual([false, 0]);
    const startedAt = performance.now();
    let quota: Quota;
    do {
      // Timers need a turn too: jest's own limit is one.
      await setImmediate();
      quota = await limiter.draw('a', 2);
    } while (!quota.allowed && performance.now() - startedAt < 60_000);
    expect(quota).toMatchObject({ allowed: true, remaining: 0 });
  });
}
