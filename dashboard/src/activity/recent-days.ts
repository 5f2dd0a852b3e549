import type { DayCounts, DeleterCalls } from '../deleter/deleter-calls.ts';
import { createSharedReads } from '../web/late-value.ts';
import { dayMs } from './activity-filter.ts';

/** How many UTC days the chart shows, with today. */
const chartDays = 30;

export interface RecentDays {
  /** Resolves to the days of the chart, ascending. Concurrent calls for an account share one count. */
  count(accountId: string, nowMs: number): Promise<readonly DayCounts[]>;
}

export function createRecentDays(deleter: Pick<DeleterCalls, 'countDeletions'>): RecentDays {
  const share = createSharedReads<readonly DayCounts[]>();
  return {
    count: (accountId, nowMs) => {
      const fromMs = firstDayOf(nowMs);
      const query = { accountId, fromMs, toMs: fromMs + chartDays * dayMs };
      return share(accountId, async () => (await deleter.countDeletions(query)).days);
    },
  };
}

/** Returns the start of the chart's first day. */
export function firstDayOf(nowMs: number): number {
  return nowMs - (nowMs % dayMs) - (chartDays - 1) * dayMs;
}
