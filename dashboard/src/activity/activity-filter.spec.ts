import { expect, test } from '@jest/globals';
import { filterProblems, filterQuery, isFiltered, rangeOf, readFilter } from './activity-filter.ts';

const read = (query: string) => readFilter(new URLSearchParams(query));

test('a filter has the whole of its first and last day', () => {
  expect(rangeOf(read('state=completed&from=2026-01-30&to=2026-01-31&token=t1'))).toEqual({
    state: 'completed',
    tokenId: 't1',
    acceptedFromMs: Date.parse('2026-01-30T00:00:00Z'),
    acceptedToMs: Date.parse('2026-02-01T00:00:00Z'),
  });
});

test('an empty form and an unknown state mean all deletions', () => {
  const all = { state: undefined, tokenId: undefined, acceptedFromMs: undefined, acceptedToMs: undefined };
  expect(rangeOf(read('state=&from=&to=&token='))).toEqual(all);
  expect(rangeOf(read('state=other'))).toEqual(all);
});

test.each([
  ['from=2026-02-30', { from: 'not-a-day' }],
  ['from=1&to=2026-1-1', { from: 'not-a-day', to: 'not-a-day' }],
  ['to=1969-12-31', { to: 'not-a-day' }],
  ['from=2026-01-02&to=2026-01-01', { to: 'ends-before-start' }],
  ['from=2026-01-01&to=2026-01-01', {}],
])('the days of %s have the problems %j', (query, problems) => {
  expect(filterProblems(read(query))).toEqual(problems);
});

test('a filter becomes the same query again', () => {
  const query = '?state=accepted&from=2026-01-01&to=2026-01-02&token=t1';
  expect(filterQuery(read(query))).toBe(query);
  expect(filterQuery(read(query), 'a b&')).toBe(`${query}&page=a+b%26`);
  expect(filterQuery(read(''))).toBe('');
  expect(filterQuery(read('state=accepted&days=90'))).toBe('?state=accepted&days=90');
  expect(filterQuery(read('days=30'))).toBe('');
});

test.each([
  ['days=7', 7],
  ['days=90', 90],
  ['', 30],
  ['days=31', 30],
  ['days=all', 30],
])('the chart of the query %j has %d days', (query, days) => {
  expect(read(query).days).toBe(days);
});

test('the length of the chart filters nothing', () => {
  expect(isFiltered(read('days=90'))).toBe(false);
  for (const query of ['state=waiting', 'from=2026-01-01', 'to=2026-01-01', 'token=t1'])
    expect(isFiltered(read(query))).toBe(true);
});
