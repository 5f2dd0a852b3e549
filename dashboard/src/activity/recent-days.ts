import type { DeleterCalls, DeletionCounts } from '../deleter/deleter-calls.ts';
import { createSharedReads } from '../web/late-value.ts';
import { dayMs } from './activity-filter.ts';

export interface RecentDaysQuery {
  readonly accountId: string;
  readonly nowMs: number;
  /** How many UTC days, with today. At most 92. */
  readonly days: number;
  /** The API token of the requests. */
  readonly tokenId?: string | undefined;
}

export interface RecentDays {
  /** Counts the deletions of the last days. Concurrent calls for the same days share one count. */
  count(query: RecentDaysQuery): Promise<DeletionCounts>;
}

export function createRecentDays(deleter: Pick<DeleterCalls, 'countDeletions'>): RecentDays {
  const share = createSharedReads<DeletionCounts>();
  return {
    count: ({ accountId, nowMs, days, tokenId }) => {
      const fromMs = firstDayOf(nowMs, days);
      const query = { accountId, fromMs, toMs: fromMs + days * dayMs, tokenId };
      return share(JSON.stringify(query), () => deleter.countDeletions(query));
    },
  };
}

/** Returns the start of the UTC day that is `days - 1` days before today. */
export function firstDayOf(nowMs: number, days: number): number {
  return nowMs - (nowMs % dayMs) - (days - 1) * dayMs;
}
