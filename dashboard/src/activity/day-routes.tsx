import { Fault } from '@jobs-delete/runtime/fault';
import { render } from 'preact-render-to-string';
import type { MemberVisit, Route } from '../web/route.ts';
import { readFilter } from './activity-filter.ts';
import { readChart, type ChartServices } from './chart-days.ts';
import { DayChart, dayEventsPath } from './day-chart.tsx';

/** The chart of a page that did not wait for it. */
export function dayRoutes(services: ChartServices): readonly Route[] {
  async function* chartEvent(visit: MemberVisit): AsyncGenerator<string> {
    try {
      const chart = await readChart(services, visit, readFilter(visit.query));
      yield render(<DayChart language={visit.language} chart={chart} />);
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
