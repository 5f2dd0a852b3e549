import { describe, expect, test } from '@jest/globals';
import { firstByWeight, splitByWeight } from './split-by-weight.ts';

describe('splitByWeight', () => {
  const split = (...weights: number[]) => splitByWeight(weights, (weight) => weight, 10);

  test('fills each run in order, up to the maximum weight', () => {
    expect(split(4, 6, 1, 9, 1)).toEqual([[4, 6], [1, 9], [1]]);
    expect(split(1, 2, 3)).toEqual([[1, 2, 3]]);
  });

  test('puts an item over the maximum weight in its own run', () => {
    expect(split(3, 50, 3, 3)).toEqual([[3], [50], [3, 3]]);
    expect(split(50)).toEqual([[50]]);
  });

  test('returns no run for no items', () => {
    expect(split()).toEqual([]);
  });
});

test('the first items are at least one, and more only up to the weight', () => {
  const first = (weights: readonly number[]) => firstByWeight(weights, (weight) => weight, 5);
  expect(first([])).toEqual([]);
  expect(first([9, 1])).toEqual([9]);
  expect(first([2, 3, 1])).toEqual([2, 3]);
  expect(first([1, 2])).toEqual([1, 2]);
});
