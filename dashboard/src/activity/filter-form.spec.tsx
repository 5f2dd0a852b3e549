import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { filterProblems, readFilter, withPeriod } from './activity-filter.ts';
import { Periods, Tools } from './filter-form.tsx';

const visit = { accountId: 'acme', language: 'en', nowMs: Date.parse('2026-01-31T12:00:00Z') } as const;

function periodLinks(query: string) {
  const filter = withPeriod(readFilter(new URLSearchParams(query)), visit.nowMs);
  const html = render(<Periods visit={visit} filter={filter} />);
  const links = /href="\/a\/acme\/activity([^"]*)"( aria-current="true")?>([^<]*)/g;
  return [...html.matchAll(links)].map(([, path, current, text]) => [
    path,
    current === undefined ? text : `(${String(text)})`,
  ]);
}

test('the links to the last days keep state and token, and mark the period of the page', () => {
  expect(periodLinks('state=waiting&from=2026-01-25&token=t1')).toEqual([
    ['?state=waiting&amp;from=2026-01-25&amp;token=t1', '(7 days)'],
    ['?state=waiting&amp;from=2026-01-02&amp;token=t1', '30 days'],
    ['?state=waiting&amp;from=2025-11-03&amp;token=t1', '90 days'],
    ['?state=waiting&amp;from=1970-01-01&amp;token=t1', 'All'],
    ['', 'Clear filters'],
  ]);
});

test('a page without a choice has the last 30 days, and one of a state or token all days', () => {
  const texts = (query: string) => periodLinks(query).map(([, text]) => text);
  expect(texts('')).toEqual(['7 days', '(30 days)', '90 days', 'All']);
  expect(texts('from=2026-01-02')).toEqual(texts(''));
  const all = ['7 days', '30 days', '90 days', '(All)', 'Clear filters'];
  expect(texts('state=waiting')).toEqual(all);
  expect(texts('token=t1')).toEqual(all);
  expect(texts('state=&token=&from=&to=')).toEqual(all);
  const other = ['7 days', '30 days', '90 days', 'All', 'Clear filters'];
  expect(texts('from=2026-01-25&to=2026-01-30')).toEqual(other);
  expect(texts('to=2026-01-30')).toEqual(other);
});

test.each([
  ['', false],
  ['from=2026-01-25', false],
  ['from=2026-01-24', true],
  ['state=waiting', true],
  ['to=yesterday', true],
])('the filter of %j is open: %j', (query, isOpen) => {
  const filter = withPeriod(readFilter(new URLSearchParams(query)), visit.nowMs);
  const html = render(
    <Tools
      visit={partOf<MemberVisit>(visit)}
      filter={filter}
      problems={filterProblems(filter)}
      tokens={[]}
      search={undefined}
    />,
  );
  expect(html.includes('<details open>')).toBe(isOpen);
});
