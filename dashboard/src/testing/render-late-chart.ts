import { render } from 'preact-render-to-string';
import { LateDayChart } from '../activity/day-chart.tsx';
import { chartDaysOf, readFilter } from '../activity/activity-filter.ts';
import type { Language } from '../web/language.ts';

/** Returns what the page of deletions shows while the deleter still counts. */
export function renderLateChart(language: Language): string {
  const visit = { accountId: 'acme', language, url: '/a/acme/activity' };
  const filter = readFilter(new URLSearchParams());
  const range = chartDaysOf(filter, Date.now());
  return render(LateDayChart({ visit, filter, range, hasToday: true, hasRefused: false }));
}
