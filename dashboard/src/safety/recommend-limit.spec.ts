import { expect, test } from '@jest/globals';
import { recommendLimit } from './recommend-limit.ts';

const half = { kind: 'percent', percent: 50 };

test.each([
  ['none', 1_000, half],
  ['none', undefined, half],
  [undefined, 1_000, undefined],
  [5, 1_000, { kind: 'jobs', jobs: 7 }],
  [1_234, 9_000, { kind: 'jobs', jobs: 1_600 }],
  [1_234, undefined, undefined],
  [1_234, 1_600, half],
  [3_331, 1_303, half],
] as const)('a busiest day of %j jobs of %j now recommends %j', (jobs, count, limit) => {
  const busiest = typeof jobs === 'number' ? { jobsAccepted: jobs } : jobs;
  expect(recommendLimit(busiest, count)).toEqual(limit);
});
