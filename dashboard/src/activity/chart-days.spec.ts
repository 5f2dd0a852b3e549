import { expect, test } from '@jest/globals';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { readFilter } from './activity-filter.ts';
import { readChart, type DaysQuery, createDayCounter } from './chart-days.ts';
import type { DayCountsQuery, DeletionCounts } from '../deleter/deleter-calls.ts';

const nowMs = Date.UTC(2026, 0, 31, 12);
const shop: Credential = { kind: 'token', id: 'shop', accountId: 'acme', createdAtMs: 1 };

test('only a token that the account has makes the api count', async () => {
  const counted: (string | undefined)[] = [];
  const services = {
    accounts: {
      listCredentials: (_: string, accountId: string) => Promise.resolve(accountId === 'acme' ? [shop] : []),
      listRefusals: () => Promise.resolve([]),
    },
    dayCounter: {
      count: ({ tokenId }: DaysQuery) => {
        counted.push(tokenId);
        return Promise.resolve({ days: [], retentionMs: undefined });
      },
    },
  };
  const chartOf = (query: string, accountId = 'acme') =>
    readChart(services, { accountId, nowMs }, readFilter(new URLSearchParams(query)));
  const { days } = await chartOf('token=made-up&from=2026-01-01');
  await chartOf('token=shop', 'other');
  expect(counted).toHaveLength(0);
  expect(days).toHaveLength(31);
  expect(days.at(-1)).toEqual({ dayMs: Date.UTC(2026, 0, 31), deletions: 0, jobs: 0 });
  await chartOf('token=shop');
  await chartOf('');
  expect(counted).toStrictEqual(['shop', undefined]);
});

test.each([
  ['from=1970-01-01', 20, 21, { emptyDays: 69, isCut: false }],
  ['from=1970-01-01', 3, 7, { emptyDays: 83, isCut: false }],
  ['state=waiting&from=1970-01-01', 3, 7, { emptyDays: 83, isCut: false }],
  ['state=completed&from=1970-01-01', 3, 52, { emptyDays: 38, isCut: false }],
  ['from=1970-01-01', 91, 92, { keptDays: 90, emptyDays: 0, isCut: true }],
  ['from=2026-01-01', 3, 31, { emptyDays: 0, isCut: false }],
] as const)(
  'with %j and a first deletion %i days ago, a chart has %i days',
  async (query, ago, length, says) => {
    const isCompleted = query.includes('completed');
    const none = { deletions: 0, jobsAccepted: 0, jobsRemoved: 0, states: [] };
    const services = {
      accounts: { listCredentials: () => Promise.resolve([]), listRefusals: () => Promise.resolve([]) },
      dayCounter: {
        count: ({ firstMs: startMs, days }: DaysQuery) =>
          Promise.resolve({
            days: Array.from({ length: days }, (_, index) => ({
              dayMs: startMs + index * 86_400_000,
              ...none,
              deletions: index === days - 1 - ago ? 1 : 0,
              // A deletion of another state does not count.
              states:
                index === days - 1 - ago
                  ? [{ state: 'waiting' as const, deletions: 1, jobs: 5 }]
                  : isCompleted && index === 40
                    ? [{ state: 'completed' as const, deletions: 1, jobs: 5 }]
                    : [],
            })),
            retentionMs: 90 * 86_400_000,
          }),
      },
    };
    const filter = readFilter(new URLSearchParams(query));
    const { days, ...chart } = await readChart(services, { accountId: 'acme', nowMs }, filter);
    expect(days).toHaveLength(length);
    expect(days.at(-1)?.dayMs).toBe(Date.UTC(2026, 0, 31));
    expect(days.findIndex(({ deletions }) => deletions > 0)).toBe(length - 1 - (isCompleted ? 51 : ago));
    expect(chart).toMatchObject(says);
  },
);

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
