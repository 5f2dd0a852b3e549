import { expect, test } from '@jest/globals';
import type { DayCounts, DayCountsQuery } from '../deleter/deleter-calls.ts';
import { createRecentDays } from './recent-days.ts';

const noon = Date.parse('2026-11-23T12:00:00Z');
const days: readonly DayCounts[] = [{ dayMs: 0, deletions: 1, jobsAccepted: 2, jobsRemoved: 2, states: [] }];

test('counts 30 days that end with today, once for calls at the same time', async () => {
  const queries: DayCountsQuery[] = [];
  const { count } = createRecentDays({
    countDeletions: (query) => {
      queries.push(query);
      return Promise.resolve({ days, retentionMs: undefined });
    },
  });
  expect(await Promise.all([count('acme', noon), count('acme', noon)])).toEqual([days, days]);
  expect(queries).toEqual([
    { accountId: 'acme', fromMs: Date.parse('2026-10-25'), toMs: Date.parse('2026-11-24') },
  ]);
});
