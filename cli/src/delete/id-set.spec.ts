import { expect, test } from '@jest/globals';
import { IdSet } from './id-set.ts';

test('an id is new once, however many others there are', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `JOB${String(index)}`);
  const set = new IdSet();
  expect(ids.filter((id) => !set.add(id))).toEqual([]);
  expect(ids.filter((id) => set.add(id))).toEqual([]);
  expect(set.add('job0')).toBe(true);
});
