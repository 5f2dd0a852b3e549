import { describe, expect, test } from '@jest/globals';
import { splitByWeight } from './split-by-weight.ts';

describe('splitting by jobs', () => {
  const split = (...jobs: number[]) => splitByWeight(jobs, (count) => count, 10);

  test('keeps the order and fills each run as far as it goes', () => {
    expect(split(4, 6, 1, 9, 1)).toEqual([[4, 6], [1, 9], [1]]);
    expect(split(1, 2, 3)).toEqual([[1, 2, 3]]);
  });

  test('leaves an item that is too large alone', () => {
    expect(split(3, 50, 3, 3)).toEqual([[3], [50], [3, 3]]);
    expect(split(50)).toEqual([[50]]);
  });

  test('makes nothing of nothing', () => {
    expect(split()).toEqual([]);
  });
});
