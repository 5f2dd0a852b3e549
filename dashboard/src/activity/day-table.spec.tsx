import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { readFilter } from './activity-filter.ts';
import { chartLinksOf, DayChart } from './day-chart.tsx';
import { readDayOrder } from './day-table.tsx';
import { dayMs } from '../web/time.tsx';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const days = [
  { jobs: 10, deletions: 3, refused: undefined },
  { jobs: 9, deletions: 1, refused: 0 },
  { jobs: 9, deletions: 2, refused: 20 },
].map((counts, index) => ({ dayMs: startMs + index * dayMs, ...counts }));

/** Returns the chart of `/activity` with this query. */
function htmlOf(query: string): string {
  const search = new URLSearchParams(query);
  return render(
    <DayChart
      language="en"
      chart={{ days }}
      order={readDayOrder(search)}
      {...chartLinksOf({ accountId: 'acme' }, readFilter(search))}
    />,
  );
}

const rowsOf = (html: string) => [...html.matchAll(/>(\d) Jan 2026<\/a>/g)].map(([, day]) => Number(day));

test.each([
  ['', [3, 2, 1]],
  ['sort=none', [3, 2, 1]],
  ['sort=-day', [3, 2, 1]],
  ['sort=day', [1, 2, 3]],
  ['sort=-jobs', [1, 3, 2]],
  ['sort=jobs', [3, 2, 1]],
  ['sort=-deletions', [1, 3, 2]],
  ['sort=deletions', [2, 3, 1]],
  ['sort=-refused', [3, 2, 1]],
  ['sort=refused', [1, 2, 3]],
])('the query %j has the days %j, and of equal ones the newest first', (query, rows) => {
  expect(rowsOf(htmlOf(query))).toEqual(rows);
});

/** Returns the order of each header, and where it leads. */
function headersOf(html: string) {
  const headers = /<th scope="col"[^>]*?(?: aria-sort="(\w+)")?><a href="([^"]*)">([^<]*)/g;
  return [...html.matchAll(headers)].map(([, order, href, name]) => [
    name,
    order,
    /sort=([-\w]+)#/.exec(href ?? '')?.[1],
  ]);
}

test('each header leads to the largest values first, and that of the order to the other way round', () => {
  expect(headersOf(htmlOf(''))).toEqual([
    ['Day', 'descending', 'day'],
    ['Deletions', undefined, '-deletions'],
    ['Jobs deleted', undefined, '-jobs'],
    ['Refused requests', undefined, '-refused'],
  ]);
  expect(headersOf(htmlOf('sort=-jobs'))).toMatchObject([
    ['Day', undefined, '-day'],
    {},
    ['Jobs deleted', 'descending', 'jobs'],
    {},
  ]);
  expect(headersOf(htmlOf('sort=jobs'))[2]).toEqual(['Jobs deleted', 'ascending', '-jobs']);
});

test('a chosen order keeps the filter and opens the table, where its link leads', () => {
  const html = htmlOf('state=completed&from=2026-01-01&sort=jobs');
  expect(html).toContain('/a/acme/activity?state=completed&amp;from=2026-01-01&amp;sort=-day#chart-table"');
  expect(html).toContain('<details open><summary id="chart-table">');
  expect(htmlOf('state=completed')).toContain('<details><summary id="chart-table">');
});

test('a chart without links to orders has none', () => {
  const html = render(<DayChart language="en" chart={{ days }} hrefOf={() => ''} />);
  expect([rowsOf(html), headersOf(html)]).toEqual([[3, 2, 1], []]);
});

test.each([
  ['en', '2 Jan 2026'],
  ['fr', '2 janv. 2026'],
  ['es', '2 ene 2026'],
] as const)(
  'the days of the table and of its sentence are written as in the rest of the page in %s',
  (language, day) => {
    const html = render(
      <DayChart language={language} chart={{ days: days.slice(1, 2) }} hrefOf={() => ''} />,
    );
    const [, summary = ''] = /<p id="chart-summary">(.*?)<\/p>/s.exec(html) ?? [];
    expect(summary).toContain(day);
    expect(summary).not.toContain('2026-01-02');
    expect(html).toContain(`>${day}</a></th>`);
  },
);

test('a chart says how many earlier days without anything it leaves out', () => {
  const saysOf = (emptyDays: number) => {
    const html = render(<DayChart language="en" chart={{ days, emptyDays }} hrefOf={() => ''} />);
    return /Nothing [^<]*/.exec(html)?.[0];
  };
  expect([85, 1, 0].map(saysOf)).toEqual([
    'Nothing in the 85 days before.',
    'Nothing on the day before.',
    undefined,
  ]);
});
