import { expect, test } from '@jest/globals';
import { createPlacesByKey } from './places-by-key.ts';

test('a key has at most its number of places, and takes none of another key', () => {
  const places = createPlacesByKey(2);
  expect(['a', 'a', 'a', 'b'].map(places.enter)).toEqual([true, true, false, true]);
});

test('a place that was left can be taken once', () => {
  const places = createPlacesByKey(2);
  for (const key of ['a', 'a', 'a']) places.enter(key);
  places.leave('a');
  expect(['a', 'a'].map(places.enter)).toEqual([true, false]);
  for (const key of ['a', 'a']) places.leave(key);
  expect(['a', 'a', 'a'].map(places.enter)).toEqual([true, true, false]);
});
