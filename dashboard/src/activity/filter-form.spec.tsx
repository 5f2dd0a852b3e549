import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { readFilter } from './activity-filter.ts';
import { Periods } from './filter-form.tsx';

const visit = { accountId: 'acme', language: 'en', nowMs: Date.parse('2026-01-31T12:00:00Z') } as const;

function periodLinks(query: string) {
  const html = render(<Periods visit={visit} filter={readFilter(new URLSearchParams(query))} />);
  const links = /href="\/a\/acme\/activity([^"]*)"( aria-current="true")?>([^<]*)/g;
  return [...html.matchAll(links)].map(([, path, current, text]) => [
    path,
    current === undefined ? text : `(${String(text)})`,
  ]);
}

test('the links to the last days keep state and token, and mark the period of the page', () => {
  expect(periodLinks('state=waiting&from=2026-01-25&token=t1')).toEqual([
    ['?state=waiting&amp;from=2026-01-25&amp;token=t1', '(Last 7 days)'],
    ['?state=waiting&amp;from=2026-01-02&amp;token=t1', 'Last 30 days'],
    ['?state=waiting&amp;from=2025-11-03&amp;token=t1', 'Last 90 days'],
    ['', 'Clear filters'],
  ]);
});

test('a period ends today, and without a filter the chart has the last 30 days', () => {
  const texts = (query: string) => periodLinks(query).map(([, text]) => text);
  const periods = ['Last 7 days', 'Last 30 days', 'Last 90 days'];
  expect(texts('from=2026-01-25&to=2026-01-30')).toEqual([...periods, 'Clear filters']);
  expect(texts('page=older')).toEqual(['Last 7 days', '(Last 30 days)', 'Last 90 days']);
});
