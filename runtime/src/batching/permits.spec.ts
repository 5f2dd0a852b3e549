import { expect, test } from '@jest/globals';
import { createPermits, createFairPermits } from './permits.ts';

test('a key holds at most its number of permits, and takes none of another key', () => {
  const permits = createPermits({ perKey: 2 });
  expect(['a', 'a', 'a', 'b'].map(permits.take)).toEqual([true, true, false, true]);
});

test('all keys together hold at most the total', () => {
  const permits = createPermits({ perKey: 2, total: 3 });
  expect(['a', 'a', 'a', 'b', 'c'].map(permits.take)).toEqual([true, true, false, true, false]);
  permits.give('a');
  expect(['c', 'b'].map(permits.take)).toEqual([true, false]);
});

test('a permit that was given back can be taken once', () => {
  const permits = createPermits({ perKey: 2 });
  for (const key of ['a', 'a', 'a']) permits.take(key);
  permits.give('a');
  expect(['a', 'a'].map(permits.take)).toEqual([true, false]);
  for (const key of ['a', 'a']) permits.give(key);
  expect(['a', 'a', 'a'].map(permits.take)).toEqual([true, true, false]);
});

function takeAll(permits: ReturnType<typeof createFairPermits>, key: string): number {
  let taken = 0;
  while (permits.take(key)) taken += 1;
  return taken;
}

test('one key alone gets three quarters, and another key still finds free permits', () => {
  const permits = createFairPermits({ total: () => 1_000 });
  expect(takeAll(permits, 'flood')).toBe(750);
  expect(permits.take('other')).toBe(true);
});

test('keys that take in rotation get equal shares', () => {
  const permits = createFairPermits({ total: () => 1_000 });
  const keys = ['a', 'b', 'c'];
  while (keys.filter((key) => permits.take(key)).length > 0);
  for (const key of keys) expect(Math.abs(permits.held(key) - 300)).toBeLessThan(5);
});

test('a key gets what is free, and no more', () => {
  const permits = createFairPermits({ total: () => 10 });
  permits.take('a', 5);
  expect(permits.take('b', 6)).toBe(false);
  expect(permits.take('b', 5)).toBe(true);
  expect(permits.held()).toBe(10);
});

test('permits that a key keeps count for it', () => {
  const permits = createFairPermits({ total: () => 4 });
  expect(takeAll(permits, 'a')).toBe(3);
  permits.give('a');
  expect([permits.held('a'), permits.held()]).toEqual([2, 2]);
  expect(takeAll(permits, 'a')).toBe(1);
});

test('returned permits can be taken again, and a key without permits is forgotten', () => {
  const permits = createFairPermits({ total: () => 4 });
  expect(takeAll(permits, 'a')).toBe(3);
  permits.give('a', 3);
  expect([permits.held('a'), permits.held()]).toEqual([0, 0]);
  expect(takeAll(permits, 'a')).toBe(3);
});

test('a weight larger than all permits is taken only while nothing is held', () => {
  const permits = createFairPermits({ total: () => 10 });
  expect(permits.take('a', 100)).toBe(true);
  expect(permits.take('b')).toBe(false);
  permits.give('a', 100);
  expect(permits.take('b')).toBe(true);
});

test('without permits, none is given out', () => {
  expect(createFairPermits({ total: () => 0 }).take('a')).toBe(false);
});

test('none is given out while fewer permits exist than are held', () => {
  let total = 8;
  const permits = createFairPermits({ total: () => total });
  permits.take('a', 6);
  total = 4;
  expect(permits.take('b')).toBe(false);
  total = 8;
  expect(permits.take('b')).toBe(true);
});
