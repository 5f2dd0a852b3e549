import { render } from 'preact-render-to-string';
import { LateDayChart } from '../activity/day-chart.tsx';
import type { Language } from '../web/language.ts';

/** Returns what the page of deletions shows while the deleter still counts. */
export function renderLateChart(language: Language): string {
  return render(LateDayChart({ visit: { accountId: 'acme', language, url: '/a/acme/activity' } }));
}
