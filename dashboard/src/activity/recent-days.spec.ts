import { expect, test } from '@jest/globals';
import type { DayCounts, DayCountsQuery } from '../deleter/deleter-calls.ts';
import { createRecentDays, inTime } from './recent-days.ts';

const noon = Date.parse('2026-11-23T12:00:00Z');
const days: readonly DayCounts[] = [{ dayMs: 0, deletions: 1, jobsAccepted: 2, jobsRemoved: 2 }];

interface Call {
  readonly query: DayCountsQuery;
  resolve(days: readonly DayCounts[]): void;
  reject(error: Error): void;
}

/** A deleter whose answers come when the test says so. */
function startCounts(patienceMs: number) {
  const calls: Call[] = [];
  const countDeletions = (query: DayCountsQuery) =>
    new Promise<readonly DayCounts[]>((resolve, reject) => void calls.push({ query, resolve, reject }));
  const { count } = createRecentDays({ countDeletions });
  const countInTime = (accountId: string, nowMs: number) => inTime(count(accountId, nowMs), patienceMs);
  return { calls, count, countInTime };
}

test('counts 30 days that end with today', async () => {
  const { calls, countInTime } = startCounts(60_000);
  const counted = countInTime('acme', noon);
  expect(calls.map(({ query }) => query)).toEqual([
    { accountId: 'acme', fromMs: Date.parse('2026-10-25'), toMs: Date.parse('2026-11-24') },
  ]);
  calls[0]?.resolve(days);
  expect(await counted).toBe(days);
});

test('a page does not wait for a slow count, and a later call shares it', async () => {
  const { calls, countInTime, count } = startCounts(0);
  expect(await countInTime('acme', noon)).toBeUndefined();
  const late = count('acme', noon);
  void count('other', noon);
  expect(calls.map(({ query }) => query.accountId)).toEqual(['acme', 'other']);
  calls[0]?.resolve(days);
  expect(await late).toBe(days);

  void count('acme', noon);
  expect(calls).toHaveLength(3);
});

test('a failed count is not remembered', async () => {
  const { calls, countInTime } = startCounts(60_000);
  const failed = countInTime('acme', noon);
  calls[0]?.reject(new Error('no answer'));
  await expect(failed).rejects.toThrow('no answer');

  const again = countInTime('acme', noon);
  calls[1]?.resolve(days);
  expect(await again).toBe(days);
});

test('a count that fails after the page has left it hurts nothing', async () => {
  const { calls, countInTime } = startCounts(0);
  expect(await countInTime('acme', noon)).toBeUndefined();
  calls[0]?.reject(new Error('no answer'));
  // An unhandled rejection would end the process.
  await new Promise(setImmediate);
  void countInTime('acme', noon);
  expect(calls).toHaveLength(2);
});
