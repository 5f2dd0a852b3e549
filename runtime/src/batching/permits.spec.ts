import { expect, test } from '@jest/globals';
import { createPermits } from './permits.ts';

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
