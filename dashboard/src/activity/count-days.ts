import type { DeleterCalls, DeletionCounts } from '../deleter/deleter-calls.ts';
import { createSharedReads } from '../web/late-value.ts';
import { dayMs } from './activity-filter.ts';

export interface DaysQuery {
  readonly accountId: string;
  /** The start of the first UTC day. */
  readonly firstMs: number;
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
    count: ({ accountId, firstMs, days, tokenId }) => {
      const query = { accountId, fromMs: firstMs, toMs: firstMs + days * dayMs, tokenId };
      return share(JSON.stringify(query), () => deleter.countDeletions(query));
    },
  };
}
