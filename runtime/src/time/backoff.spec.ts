import { describe, expect, test } from '@jest/globals';
import { backoffMs } from './backoff.ts';

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
