import type { DayCounts, DeleterCalls } from '../deleter/deleter-calls.ts';
import { dayMs } from './activity-filter.ts';

/** How many UTC days the chart shows, with today. */
const chartDays = 30;
/** Pages appear within 100 ms. Counts that take longer follow the page. */
const defaultPatienceMs = 30;

export interface RecentDays {
  /** Resolves to the days of the chart, ascending. Concurrent calls for an account share one count. */
  count(accountId: string, nowMs: number): Promise<readonly DayCounts[]>;
  /** Resolves to undefined if the count takes longer than a page may wait. The count goes on. */
  countInTime(accountId: string, nowMs: number): Promise<readonly DayCounts[] | undefined>;
}

export function createRecentDays(
  deleter: Pick<DeleterCalls, 'countDeletions'>,
  patienceMs: number = defaultPatienceMs,
): RecentDays {
  const pending = new Map<string, Promise<readonly DayCounts[]>>();

  const count = (accountId: string, nowMs: number) => {
    const known = pending.get(accountId);
    if (known !== undefined) return known;
    const fromMs = firstDayOf(nowMs);
    const counts = deleter
      .countDeletions({ accountId, fromMs, toMs: fromMs + chartDays * dayMs })
      .finally(() => pending.delete(accountId));
    pending.set(accountId, counts);
    return counts;
  };

  return { count, countInTime: (accountId, nowMs) => inTime(count(accountId, nowMs), patienceMs) };
}

/** Resolves to undefined if the value takes longer than a page may wait. */
export async function inTime<Value>(
  value: Promise<Value>,
  patienceMs: number = defaultPatienceMs,
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
