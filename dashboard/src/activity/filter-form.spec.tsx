import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { MemberVisit } from '../web/route.ts';
import { TimeZoneContext } from '../web/time.tsx';
import { partOf } from '../testing/part-of.ts';
import { filterProblems, readFilter, withPeriod } from './activity-filter.ts';
import { Choices, Periods, Tools } from './filter-form.tsx';

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
  ['', ['(2 – 31 Jan 2026)']],
  ['from=', []],
  ['from=2026-01-25', ['(25 – 31 Jan 2026)']],
  ['from=2026-01-24', ['24 – 31 Jan 2026 → ']],
  [
    'from=2026-01-24&to=2026-01-24&token=t1',
    ['24 Jan 2026 → ?token=t1', 't1 → ?from=2026-01-24&to=2026-01-24'],
  ],
  [
    'state=waiting&to=2026-01-24',
    ['until 24 Jan 2026 → ?state=waiting', 'Waiting → ?from=1970-01-01&to=2026-01-24'],
  ],
])('the choices of %j stand above the list, and each link removes one', (query, choices) => {
  const filter = withPeriod(readFilter(new URLSearchParams(query)), visit.nowMs);
  const html = render(<Choices visit={visit} filter={filter} tokens={[]} />).replaceAll('&amp;', '&');
  const parts = html.matchAll(
    /<span class="muted">([^<]*)|activity([^"]*)" title="Remove the filter" aria-label="Remove the filter: ([^"]*)">/g,
  );
  const plain = (text = '') => text.replaceAll(/\s+/g, ' ');
  expect(
    [...parts].map(([, usual, path, text]) =>
      usual === undefined ? `${plain(text)} → ${String(path)}` : `(${plain(usual)})`,
    ),
  ).toEqual(choices);
});

test('the choices say that days are in UTC where times are not', () => {
  const filter = withPeriod(readFilter(new URLSearchParams('from=2026-01-24')), visit.nowMs);
  const html = render(
    <TimeZoneContext.Provider value="Europe/Paris">
      <Choices visit={visit} filter={filter} tokens={[]} />
    </TimeZoneContext.Provider>,
  );
  expect(html).toMatch(/24\s–\s31 Jan 2026, UTC</);
});

test.each([
  ['', false],
  ['from=2026-01-24', false],
  ['state=waiting', false],
  ['to=yesterday', true],
  ['state=other', true],
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
  expect(html.includes('Deletions have no state “other”.')).toBe(query === 'state=other');
});
