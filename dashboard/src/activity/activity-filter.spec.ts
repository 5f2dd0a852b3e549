import { expect, test } from '@jest/globals';
import {
  chartDaysOf,
  filterProblems,
  filterQuery,
  firstOfAll,
  rangeOf,
  readFilter,
  withPeriod,
} from './activity-filter.ts';
import { dayMs, dayOf, firstDayOf } from '../web/time.tsx';

const read = (query: string) => readFilter(new URLSearchParams(query));

test('a filter has the whole of its first and last day', () => {
  expect(rangeOf(read('state=completed&from=2026-01-30&to=2026-01-31&token=t1'))).toEqual({
    state: 'completed',
    tokenId: 't1',
    acceptedFromMs: Date.parse('2026-01-30T00:00:00Z'),
    acceptedToMs: Date.parse('2026-02-01T00:00:00Z'),
  });
});

test('an empty form means all deletions', () => {
  const all = { state: undefined, tokenId: undefined, acceptedFromMs: undefined, acceptedToMs: undefined };
  expect(rangeOf(read('state=&from=&to=&token='))).toEqual({ ...all, acceptedFromMs: 0 });
});

test.each([
  ['from=2026-02-30', { from: 'not-a-day' }],
  ['from=1&to=2026-1-1', { from: 'not-a-day', to: 'not-a-day' }],
  ['to=1969-12-31', { to: 'not-a-day' }],
  ['from=2026-01-02&to=2026-01-01', { to: 'ends-before-start' }],
  ['from=2026-01-01&to=2026-01-01', {}],
  ['state=other', { state: 'unknown' }],
])('the fields of %s have the problems %j', (query, problems) => {
  expect(filterProblems(read(query))).toEqual(problems);
});

test('a filter becomes the same query again', () => {
  const query = '?state=accepted&from=2026-01-01&to=2026-01-02&token=t1';
  expect(filterQuery(read(query))).toBe(query);
  expect(filterQuery(read(query), { page: 'a b&' })).toBe(`${query}&page=a+b%26`);
  expect(filterQuery(read(''))).toBe('');
});

test.each([
  ['', '2025-12-22', '2026-01-20', false],
  ['from=2026-01-14', '2026-01-14', '2026-01-20', false],
  ['from=2026-01-20&to=2026-01-20', '2026-01-20', '2026-01-20', false],
  ['to=2025-12-31', '2025-12-02', '2025-12-31', false],
  ['from=2025-10-21', '2025-10-21', '2026-01-20', false],
  ['from=2025-10-20', '2025-10-21', '2026-01-20', true],
  ['from=2020-01-01&to=2026-01-01', '2025-10-02', '2026-01-01', true],
  ['from=2026-01-19&to=2027-01-01', '2026-01-19', '2026-01-20', false],
  ['from=2026-02-01&to=2026-02-28', '2026-02-01', '2026-02-01', false],
  ['to=1970-01-02', '1970-01-01', '1970-01-02', false],
  ['from=yesterday', '2025-12-22', '2026-01-20', false],
])('the chart of the query %j has the days from %s to %s', (query, first, last, isCut) => {
  const nowMs = Date.parse('2026-01-20T12:00:00Z');
  const { firstMs, days, isCut: cut } = chartDaysOf(read(query), nowMs);
  expect([dayOf(firstMs), dayOf(firstMs + (days - 1) * dayMs), cut]).toEqual([first, last, isCut]);
});

test.each([
  [7, '2026-11-17'],
  [30, '2026-10-25'],
  [90, '2026-08-26'],
])('%d days end with that of the time', (days, first) => {
  expect(dayOf(firstDayOf(Date.parse('2026-11-23T12:00:00Z'), days))).toBe(first);
});

test.each([
  ['page=2', '2025-12-22'],
  ['from=2026-01-01', '2026-01-01'],
  ['state=&from=&to=&token=', firstOfAll],
  ['state=waiting', firstOfAll],
  ['to=2026-01-01', firstOfAll],
  ['token=t1', firstOfAll],
])('a page of the query %j begins with %s', (query, from) => {
  expect(withPeriod(read(query), Date.parse('2026-01-20T12:00:00Z')).from).toBe(from);
});
