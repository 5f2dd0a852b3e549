import { expect, test } from '@jest/globals';
import type { DayCountsQuery, DeletionCounts } from '../deleter/deleter-calls.ts';
import { createDayCounter } from './count-days.ts';

const firstMs = Date.parse('2026-11-17');

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

test('a query has its last day to its end', () => {
  const { queries, count } = startCounts();
  void count({ accountId: 'acme', firstMs, days: 7 });
  expect(queries).toEqual([
    { accountId: 'acme', fromMs: firstMs, toMs: Date.parse('2026-11-24'), tokenId: undefined },
  ]);
});

test('calls for the same days of an account and token share a count', () => {
  const { queries, count } = startCounts();
  const query = { accountId: 'acme', firstMs, days: 7 };
  const others = [
    { accountId: 'other' },
    { days: 30 },
    { tokenId: 'shop' },
    { firstMs: firstMs + 86_400_000 },
  ];
  for (const each of [...others, ...others]) void count(Object.assign({}, query, each));
  expect(queries).toHaveLength(4);
});
