import { expect, test, describe } from '@jest/globals';
import { forEachGroup, groupBy, firstByWeight, splitByWeight } from './groups.ts';

test('items are grouped by key, in the order of the first item of each group', () => {
  const groups = groupBy(['b1', 'a1', 'b2', 'c1', 'a2'], (item) => item.charAt(0));
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1', 'a2']],
    ['c', ['c1']],
  ]);
});

test('every group is run, a few at the same time, and the next one when one ends', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (group: string) => {
    begun.push(group);
    return new Promise<void>((resolve) => ends.set(group, resolve));
  };
  const all = forEachGroup(['a', 'b', 'c', 'd'], 2, run);
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.();
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const group of ['a', 'c', 'd']) {
    ends.get(group)?.();
    await Promise.resolve();
  }
  await all;
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a group that fails fails the call', async () => {
  await expect(forEachGroup(['a'], 2, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

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
