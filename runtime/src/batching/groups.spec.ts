import { expect, test } from '@jest/globals';
import { forEachGroup, groupBy } from './groups.ts';

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
