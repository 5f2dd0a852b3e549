import type { DeleterCalls, DeletionCounts } from '../deleter/deleter-calls.ts';
import { createSharedReads } from '../web/late-value.ts';
import { dayMs } from './activity-filter.ts';

export interface DaysQuery {
  readonly accountId: string;
  /** A time of the last UTC day. */
  readonly lastMs: number;
  /** 1 to 92. */
  readonly days: number;
  /** The API token of the requests. */
  readonly tokenId?: string | undefined;
}

export interface DayCounter {
  /** Counts the deletions of each day. Concurrent calls for the same days share one count. */
  count(query: DaysQuery): Promise<DeletionCounts>;
}

export function createDayCounter(deleter: Pick<DeleterCalls, 'countDeletions'>): DayCounter {
  const share = createSharedReads<DeletionCounts>();
  return {
    count: ({ accountId, lastMs, days, tokenId }) => {
      const fromMs = firstDayOf(lastMs, days);
      const query = { accountId, fromMs, toMs: fromMs + days * dayMs, tokenId };
      return share(JSON.stringify(query), () => deleter.countDeletions(query));
    },
  };
}

/** Returns the start of the first of `days` UTC days. The last of them contains `lastMs`. */
export function firstDayOf(lastMs: number, days: number): number {
  return lastMs - (lastMs % dayMs) - (days - 1) * dayMs;
}
