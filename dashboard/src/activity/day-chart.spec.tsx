import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { DayChart } from './day-chart.tsx';

const start = Date.parse('2026-01-01T00:00:00Z');
const days = [0, 5, 12_345].map((jobsRemoved, index) => ({
  dayMs: start + index * 86_400_000,
  deletions: index,
  jobsAccepted: jobsRemoved,
  jobsRemoved,
  states: [],
}));

test('every value of the chart is in the title of its bar, in a sentence or in the table', () => {
  const html = render(<DayChart language="en" days={days} />);
  expect(html).toContain('12,350 jobs deleted from 2026-01-01 to 2026-01-03');
  expect(html).toContain('Most on one day: 12,345, on 2026-01-03.');
  expect(textsOf(html, 'title')).toEqual(['2026-01-01: 0', '2026-01-02: 5', '2026-01-03: 12,345']);
  expect(textsOf(html, 'text')).toEqual(['0', '5K', '10K', '15K', '1', 'Jan', '2', '3']);
  expect(html).toContain('<th scope="row">2026-01-02</th><td class="number">1</td><td class="number">5</td>');
});

test('the heights of the bars are in proportion, and a small value has a visible bar', () => {
  const html = render(<DayChart language="en" days={days} />);
  const [none = 0, few = 0, most = 0] = [...html.matchAll(/<rect[^>]* height="([\d.]+)"/g)].map(
    ([, height]) => Number(height),
  );
  expect([none, few]).toEqual([0, 2]);
  // The axis ends at 15,000.
  expect(most / 180).toBeCloseTo(12_345 / 15_000);
});

test('a chart without any deletion has no highest day', () => {
  const html = render(<DayChart language="en" days={days.slice(0, 1)} />);
  expect(html).toContain('0 jobs deleted');
  expect(html).not.toContain('Most on one day');
});

function textsOf(html: string, element: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<${element}[^>]*>([^<]*)<`, 'g'))].map(([, text = '']) => text);
}
