import type { DayCounts, DeleterCalls } from '../deleter/deleter-calls.ts';
import { dayMs } from './activity-filter.ts';

/** How many UTC days the chart shows, with today. */
const chartDays = 30;
/** Pages appear within 100 ms. What takes longer follows the page. */
const pagePatienceMs = 30;

export interface RecentDays {
  /** Resolves to the days of the chart, ascending. Concurrent calls for an account share one count. */
  count(accountId: string, nowMs: number): Promise<readonly DayCounts[]>;
}

export function createRecentDays(deleter: Pick<DeleterCalls, 'countDeletions'>): RecentDays {
  const pending = new Map<string, Promise<readonly DayCounts[]>>();
  return {
    count: (accountId, nowMs) => {
      const known = pending.get(accountId);
      if (known !== undefined) return known;
      const fromMs = firstDayOf(nowMs);
      const counts = deleter
        .countDeletions({ accountId, fromMs, toMs: fromMs + chartDays * dayMs })
        .finally(() => pending.delete(accountId));
      pending.set(accountId, counts);
      return counts;
    },
  };
}

/** Resolves to undefined if the value takes longer than a page may wait. Its computation goes on. */
export async function inTime<Value>(
  value: Promise<Value>,
  patienceMs: number = pagePatienceMs,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the start of the chart's first day. */
export function firstDayOf(nowMs: number): number {
  return nowMs - (nowMs % dayMs) - (chartDays - 1) * dayMs;
}
