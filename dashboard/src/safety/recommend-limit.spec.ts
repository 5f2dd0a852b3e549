import { expect, test } from '@jest/globals';
import { recommendLimit } from './recommend-limit.ts';

const half = { kind: 'percent', percent: 50 };

test.each([
  [undefined, 1_000, half],
  [undefined, undefined, half],
  [5, 1_000, { kind: 'jobs', jobs: 7 }],
  [1_234, 9_000, { kind: 'jobs', jobs: 1_600 }],
  [1_234, undefined, { kind: 'jobs', jobs: 1_600 }],
  [1_234, 1_600, half],
  [3_331, 1_303, half],
])('a busiest day of %j jobs of %j now recommends %j', (jobsAccepted, count, limit) => {
  const busiest = jobsAccepted === undefined ? undefined : { jobsAccepted };
  expect(recommendLimit(busiest, count)).toEqual(limit);
});
