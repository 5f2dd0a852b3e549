import { describe, expect, test } from '@jest/globals';
import { systemClock, systemRandom, backoffMs } from './clock.ts';

describe('systemClock', () => {
  test('returns milliseconds since the epoch', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
  });

  test('sleeps at least the given time', async () => {
    const startMs = performance.now();
    await systemClock.sleep(20);
    // Timers count whole milliseconds.
    expect(performance.now() - startMs).toBeGreaterThan(18);
  });

  test('sleep resolves at once on an aborted signal', async () => {
    await systemClock.sleep(3_600_000, AbortSignal.abort(new Error('before')));
    const waking = new AbortController();
    const sleeping = systemClock.sleep(3_600_000, waking.signal);
    waking.abort(new Error('meanwhile'));
    await sleeping;
  });

  test('defer calls back after the microtasks that are ready', async () => {
    const order: string[] = [];
    const deferred = new Promise<void>((resolve) => {
      systemClock.defer(() => {
        order.push('deferred');
        resolve();
      });
    });
    await Promise.resolve();
    order.push('ready');
    await deferred;
    expect(order).toEqual(['ready', 'deferred']);
  });
});

describe('systemRandom', () => {
  test('returns unique ascending UUIDs and fractions from 0 to below 1', () => {
    const ids = Array.from({ length: 100 }, () => systemRandom.uuid());
    expect(new Set(ids).size).toBe(100);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const fractions = Array.from({ length: 100 }, () => systemRandom.fraction());
    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
  });
});

const fixed = (fraction: number) => ({ uuid: () => '', fraction: () => fraction });

describe('backoff', () => {
  test('is at most 100 ms, doubled at each failure, up to 30 s', () => {
    const ceilings = [1, 2, 3, 4, 9, 10, 11, 1_000_000].map((failures) => backoffMs(failures, fixed(1)));
    expect(ceilings).toEqual([100, 200, 400, 800, 25_600, 30_000, 30_000, 30_000]);
  });

  test('is at most maxMs', () => {
    expect([1, 5, 6, 100].map((failures) => backoffMs(failures, fixed(1), 2_000))).toEqual([
      100, 1_600, 2_000, 2_000,
    ]);
  });

  test('is a random fraction of the maximum', () => {
    expect(backoffMs(1, fixed(0))).toBe(0);
    expect(backoffMs(3, fixed(0.25))).toBe(100);
    expect(backoffMs(20, fixed(0.5))).toBe(15_000);
  });
});
