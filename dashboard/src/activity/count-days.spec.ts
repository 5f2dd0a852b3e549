import { expect, test } from '@jest/globals';
import type { DayCountsQuery, DeletionCounts } from '../deleter/deleter-calls.ts';
import { createDayCounter } from './count-days.ts';

const nowMs = Date.parse('2026-11-23T12:00:00Z');

function startCounts() {
  const queries: DayCountsQuery[] = [];
  const { count } = createDayCounter({
    countDeletions: (query) => {
      queries.push(query);
      return new Promise<DeletionCounts>(() => undefined);
    },
  });
  return { queries, count };
}

test.each([
  [7, '2026-11-17'],
  [30, '2026-10-25'],
  [90, '2026-08-26'],
])('%d days end with that of the time', (days, first) => {
  const { queries, count } = startCounts();
  void count({ accountId: 'acme', lastMs: nowMs, days });
  expect(queries).toEqual([
    { accountId: 'acme', fromMs: Date.parse(first), toMs: Date.parse('2026-11-24'), tokenId: undefined },
  ]);
});

test('calls for the same days of an account and token share a count', () => {
  const { queries, count } = startCounts();
  const query = { accountId: 'acme', lastMs: nowMs, days: 7 };
  const others = [{ accountId: 'other' }, { days: 30 }, { tokenId: 'shop' }, { lastMs: nowMs + 86_400_000 }];
  for (const each of [...others, ...others]) void count(Object.assign({}, query, each));
  expect(queries).toHaveLength(4);
});
