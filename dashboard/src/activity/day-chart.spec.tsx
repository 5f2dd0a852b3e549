import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { dayOf, TimeZoneContext } from '../web/time.tsx';
import { chartOf } from './chart-days.ts';
import { DayChart } from './day-chart.tsx';

const dayMs = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const hrefOf = (day: string) => `/on/${day}`;
const chart = {
  days: [0, 5, 12_345].map((jobs, index) => ({ dayMs: start + index * dayMs, deletions: index, jobs })),
};
const refusedOn = (refused: readonly (number | undefined)[]) => ({
  days: chart.days.map((day, index) => ({ ...day, refused: refused[index] })),
});

test('every value of the chart is in the card of its bar, in a sentence or in the table', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={chart} />);
  expect(html).toContain('12,350 jobs deleted from 1 Jan 2026 to 3 Jan 2026');
  expect(html).toContain('Most on one day: 12,345, on 3 Jan 2026.');
  expect(cardsOf(html)).toEqual([
    '1 Jan 2026 Jobs deleted 0 Deletions 0',
    '2 Jan 2026 Jobs deleted 5 Deletions 1',
    '3 Jan 2026 Jobs deleted 12,345 Deletions 2',
  ]);
  expect(html).not.toContain('title');
  const bars = ['0', '1', 'Jan', '5', '2', '12,345', '3'];
  expect(textsOf(html, 'text')).toEqual(['0', '5K', '10K', '15K', ...bars]);
  expect(html).toContain('2 Jan 2026</a></th><td>1</td><td>5</td>');
});

test('the chart says its days, unless a figure that leads does', () => {
  const props = { language: 'en', hrefOf, chart } as const;
  const lead = { name: 'Jobs deleted', href: '/', value: '1', comparison: 'in 30 days' };
  const period = /<\/h2><span class="muted">1\s–\s3 Jan 2026<\/span>/;
  expect(render(<DayChart {...props} />)).toMatch(period);
  expect(render(<DayChart {...props} lead={lead} />)).not.toMatch(period);
});

test('the chart says that its days are in UTC where times are not', () => {
  const lead = { name: 'Jobs deleted', href: '/', value: '1', comparison: 'in 30 days' };
  const texts = [undefined, lead].map((leading) =>
    render(
      <TimeZoneContext.Provider value="America/Bogota">
        <DayChart language="en" hrefOf={hrefOf} chart={chart} lead={leading} />
      </TimeZoneContext.Provider>,
    ).match(/[^>]*\bUTC\b/g),
  );
  expect(texts).toEqual([[expect.stringMatching(/3 Jan 2026, UTC$/)], ['Days are in UTC']]);
  expect(render(<DayChart language="en" hrefOf={hrefOf} chart={chart} lead={lead} />)).not.toContain('UTC');
});

test('each bar and each row of the table leads to its day', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={chart} />);
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  const paths = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
  expect(paths).toEqual([...days, ...days.toReversed()].map(hrefOf));
});

test('screen readers have the table with its name, and neither they nor the keyboard have its links twice', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={chart} />);
  expect(html).toMatch(/role="region" aria-labelledby="chart-table"/);
  expect(html).toContain(' id="chart-table"');
  const [picture = ''] = /<div class="picture" aria-hidden="true">.*?<\/div><\/div>/s.exec(html) ?? [];
  expect(picture.match(/<a [^>]*tabindex="-1"/g)).toHaveLength(3);
});

test('the heights of the bars are in proportion, and a small value has a visible bar', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={chart} />);
  const [none = 0, few = 0, most = 0] = [...html.matchAll(/ y="[\d.]+" height="([\d.]+)" rx="2"/g)].map(
    ([, height]) => Number(height),
  );
  expect([none, few]).toEqual([0, 2]);
  // The axis ends at 15,000.
  expect(most / 160).toBeCloseTo(12_345 / 15_000);
});

test.each([
  [1, ['32']],
  [6, ['32']],
  [7, ['%']],
])('the bars of %d days have the widths %j, in the middle of their days', (length, widths) => {
  const days = Array.from({ length }, (_, index) => ({
    dayMs: start + index * dayMs,
    deletions: 1,
    jobs: 1,
    refused: 1,
  }));
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={{ days }} />);
  const bars = [
    ...html.matchAll(
      /<rect (?:class="refused" )?x="([\d.]+)%" width="([\d.]+)(%?)"(?: transform="translate\((-\d+)\)")? y/g,
    ),
  ].map(([, x, width, unit, shift]) => ({ x: Number(x), width: Number(width), unit, shift: Number(shift) }));
  expect(bars).toHaveLength(2 * length);
  expect([...new Set(bars.map(({ width, unit }) => (unit === '' ? String(width) : unit)))]).toEqual(widths);
  const middles = bars.filter((_, index) => index % 2 === 0);
  for (const [index, { x, width, unit, shift }] of middles.entries()) {
    if (unit === '') expect(shift).toBe(-width / 2);
    expect(unit === '' ? x : x + width / 2).toBeCloseTo((100 / length) * (index + 0.5), 1);
  }
});

test('few refused requests beside many have a visible bar', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={refusedOn([0, 1, 10_000])} />);
  const bars = html.matchAll(/<rect class="refused" [^>]*? y="([\d.]+)" height="([\d.]+)"/g);
  expect([...bars].map(([, y, height]) => [y, height])).toEqual([
    ['280', '2'],
    ['250', '32'],
  ]);
});

test.each([
  [3, ['0', '1', '2', '3']],
  [3_500, ['0', '2K', '4K']],
  [12_345, ['0', '5K', '10K', '15K']],
])('the scale of up to %d jobs has up to four lines', (jobs, labels) => {
  const html = render(
    <DayChart language="en" hrefOf={hrefOf} chart={{ days: [{ dayMs: start, deletions: 1, jobs }] }} />,
  );
  const ticks = [...html.matchAll(/<text class="tick"[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(ticks).toEqual(labels);
});

test('the bar of today is hatched, says that the day is not over, and counts in the sum', () => {
  const html = render(
    <DayChart language="en" hrefOf={hrefOf} chart={{ ...chart, todayMs: start + 2 * dayMs }} />,
  );
  expect(cardsOf(html)).toEqual([
    expect.stringMatching(/^1 Jan 2026 Jobs/),
    expect.stringMatching(/^2 Jan 2026 Jobs/),
    expect.stringMatching(/^3 Jan 2026 Today so far Jobs deleted 12,345 /),
  ]);
  const [, hatch = ''] = /<pattern id="(\w+)"/.exec(html) ?? [];
  const fills = [...html.matchAll(/ y="[\d.]+" height="[\d.]+" rx="2"(?: fill="([^"]*)")?>/g)].map(
    ([, fill]) => fill,
  );
  expect(fills).toEqual([undefined, undefined, `url(#${hatch})`]);
  expect(html).toMatch(/Jobs deleted <strong>12,350<.*including today so far <strong>12,345</s);
  expect(html).toContain('3 Jan 2026</a> (Today so far)</th>');
});

test('a chart of earlier days does not speak of today, and one without jobs of today does not count them', () => {
  const chartOf = (todayMs: number, days = chart.days) =>
    render(<DayChart language="en" hrefOf={hrefOf} chart={{ ...chart, days, todayMs }} />);
  expect(chartOf(start + 3 * dayMs)).not.toMatch(/Today|pattern/);
  const days = chart.days.map((day, index) => (index === 2 ? { ...day, jobs: 0 } : day));
  expect(chartOf(start + 2 * dayMs, days)).not.toContain('including today');
});

test('92 bars are equally far apart, and lengths have few decimals: the page would be large', () => {
  const days = Array.from({ length: 92 }, (_, index) => ({
    dayMs: start + index * dayMs,
    deletions: 1,
    jobs: index,
    refused: index,
  }));
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={{ days }} />);
  const lefts = [...html.matchAll(/<rect x="([\d.]+)%"[^>]* rx="2"/g)].map(([, left]) => Number(left));
  const gaps = lefts.slice(1).map((left, index) => left - (lefts[index] ?? 0));
  expect(gaps).toHaveLength(91);
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(0.03);
  expect(html.match(/\d\.\d{3,}|\d\.\d{2,}"/g)).toBeNull();
});

test('a chart without any deletion has no highest day', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={{ days: chart.days.slice(0, 1) }} />);
  expect(html).toContain('0 jobs deleted');
  expect(html).not.toContain('Most on one day');
});

test('refused requests have a shape, a legend, a sentence and a column of their own', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={refusedOn([undefined, 0, 7])} />);
  expect(html).toContain('7 requests refused from 2 Jan 2026 to 3 Jan 2026, without those to the sandbox.');
  expect(cardsOf(html).map((card) => card.split('Refused requests')[1])).toEqual([undefined, ' 0', ' 7']);
  // One in the legend, and one on the only day that has some.
  expect(html.match(/<rect class="refused"/g)).toHaveLength(2);
  const cell = (text: string) => `<td>${text}</td></tr>`;
  expect(html.match(/<td>[^<]*<\/td><\/tr>/g)).toEqual(['7', '0', '–'].map(cell));
});

test('a chart without refused requests does not speak of them', () => {
  const html = render(<DayChart language="en" hrefOf={hrefOf} chart={refusedOn([0, 0, 0])} />);
  expect(html).not.toMatch(/"refused"|requests refused|Refused requests[ :]/);
});

test('the axis of 90 days has the months only', () => {
  const days = Array.from({ length: 90 }, (_, index) => ({
    dayMs: start + index * dayMs,
    deletions: 0,
    jobs: 1,
  }));
  const labels = (first: number) => {
    const html = render(<DayChart language="en" hrefOf={hrefOf} chart={{ days: days.slice(first) }} />);
    return [...html.matchAll(/<text[^>]*>([A-Z][a-z]+)</g)].map(([, text]) => text);
  };
  expect(labels(0)).toEqual(['Jan', 'Feb', 'Mar']);
  // The label of a month with few days would touch the next one.
  expect(labels(28)).toEqual(['Feb', 'Mar']);
});

const counted = (keptDays: number) => ({
  days: [0, 1].map((index) => ({
    dayMs: start + index * dayMs,
    deletions: 3,
    jobsAccepted: 9,
    jobsRemoved: 4,
    states: [
      { state: 'waiting' as const, deletions: 2, jobs: 5 },
      { state: 'completed' as const, deletions: 1, jobs: 4 },
    ],
  })),
  retentionMs: keptDays * dayMs,
});
const nowMs = start + dayMs + 1;

test('the chart of a state has its jobs, and that of all deletions has the removed ones', () => {
  const of = (state: 'waiting' | 'completed' | 'cancelled' | undefined) =>
    chartOf({ counts: counted(90), state, refusals: undefined, nowMs }).days[0];
  expect(of(undefined)).toMatchObject({ deletions: 3, jobs: 4 });
  expect(of('waiting')).toMatchObject({ deletions: 2, jobs: 5, refused: undefined });
  expect(of('completed')).toMatchObject({ deletions: 1, jobs: 4 });
  expect(of('cancelled')).toMatchObject({ deletions: 0, jobs: 0 });
  const html = render(
    <DayChart
      language="en"
      hrefOf={hrefOf}
      chart={chartOf({ counts: counted(90), state: 'accepted', refusals: undefined, nowMs })}
    />,
  );
  expect(html).toContain('Jobs per day: Accepted');
  expect(html).toContain('0 jobs in these deletions');
});

test('refused requests count by day, without the sandbox, as long as they are on record', () => {
  const refusals = ['a', 'b'].map((code) => ({
    accountId: 'acme',
    day: '2026-01-02',
    code,
    count: 2,
    sandboxCount: 9,
  }));
  const refusedAt = (atMs: number) =>
    chartOf({ counts: counted(90), refusals, nowMs: atMs }).days.map(({ refused }) => refused);
  expect(refusedAt(nowMs)).toEqual([0, 4]);
  expect(refusedAt(start + 40 * dayMs)).toEqual([undefined, 4]);
});

test('says so if deletions are kept for fewer days than the chart has', () => {
  const htmlOf = (keptDays: number) =>
    render(
      <DayChart
        language="en"
        hrefOf={hrefOf}
        chart={chartOf({ counts: counted(keptDays), refusals: [], nowMs })}
      />,
    );
  expect(htmlOf(1)).toContain('Deletions are kept for 1 day after');
  expect(htmlOf(2)).not.toContain('Deletions are kept');
});

test.each([
  [9, []],
  [11, ['2026-01-01–3', '2026-01-04–2', '2026-01-06–2', '2026-01-08–2', '2026-01-10–2']],
  [90, Array.from({ length: 9 }, (_, index) => `${dayOf(start + 10 * index * dayMs)}–10`)],
])('on a phone, links of a chart of %d days cover as many days as a finger needs', (length, wanted) => {
  const days = Array.from({ length }, (_, index) => ({
    dayMs: start + index * dayMs,
    deletions: 1,
    jobs: 2,
  }));
  const periodOf = (day: string, lastDay = day) =>
    `${day}–${String((Date.parse(lastDay) - Date.parse(day)) / dayMs + 1)}`;
  const html = render(<DayChart language="en" hrefOf={periodOf} chart={{ days }} />);
  const [periods = ''] = /<svg class="day-groups">.*?<\/svg>/s.exec(html) ?? [];
  expect([...periods.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual(wanted);
  if (length === 90) expect(periods).toContain('<title>1 – 10 Jan 2026: Jobs deleted 20</title>');
});

/** Returns what each day shows under the pointer. */
function cardsOf(html: string): readonly string[] {
  const [, cards = ''] = /<div class="days">(.*?)<\/div>/s.exec(html) ?? [];
  return cards
    .split('</a>')
    .slice(0, -1)
    .map((card) =>
      card
        .replaceAll(/<[^>]+>/g, ' ')
        .trim()
        .replaceAll(/\s+/g, ' '),
    );
}

function textsOf(html: string, element: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<${element}[^>]*>([^<]*)<`, 'g'))].map(([, text = '']) => text);
}
