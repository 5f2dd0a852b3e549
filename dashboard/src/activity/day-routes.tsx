import { Fault } from '@jobs-delete/runtime/fault';
import { render } from 'preact-render-to-string';
import type { MemberVisit, Route } from '../web/route.ts';
import { DayChart, dayEventsPath } from './day-chart.tsx';
import type { RecentDays } from './recent-days.ts';

/** The chart of a page that did not wait for it. */
export function dayRoutes(recentDays: RecentDays): readonly Route[] {
  async function* chartEvent({ accountId, language, nowMs }: MemberVisit): AsyncGenerator<string> {
    try {
      const { days } = await recentDays.count({ accountId, nowMs, days: 30 });
      yield render(<DayChart language={language} days={days} />);
    } catch (error) {
      // The browser connects again.
      if (!(error instanceof Fault)) throw error;
    }
  }

  return [
    {
      method: 'GET',
      path: dayEventsPath,
      access: 'viewer',
      serve: (visit) => Promise.resolve({ kind: 'events', open: () => chartEvent(visit) }),
    },
  ];
}
