import { render } from 'preact-render-to-string';
import { LateDayChart } from '../activity/day-chart.tsx';
import { readFilter } from '../activity/activity-filter.ts';
import type { Language } from '../web/language.ts';

/** Returns what the page of deletions shows while the deleter still counts. */
export function renderLateChart(language: Language): string {
  const visit = { accountId: 'acme', language, url: '/a/acme/activity' };
  return render(
    LateDayChart({ visit, filter: readFilter(new URLSearchParams()), hasToday: true, hasRefused: false }),
  );
}
