import type { DayCounter } from '../activity/chart-days.ts';
import { jobsText } from '../activity/deletion-facts.tsx';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DayCounts } from '../deleter/deleter-calls.ts';
import type { MemberVisit } from '../web/route.ts';
import { firstDayOf, formatDay } from '../web/time.tsx';

const days = 30;

/** Resolves to the day of the last 30 on which most jobs were accepted. Undefined: none was, or no api answers. */
export async function findBusiestDay(
  dayCounter: DayCounter,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<DayCounts | undefined> {
  const counts = await ifAvailable(dayCounter.count({ accountId, firstMs: firstDayOf(nowMs, days), days }));
  const busiest = counts?.days.toSorted((a, b) => b.jobsAccepted - a.jobsAccepted)[0];
  return busiest?.jobsAccepted ? busiest : undefined;
}

/** Returns the busiest day with its jobs: a limit below them would have stopped usual work. */
export function busiestText(
  { dayMs: startMs, jobsAccepted }: Pick<DayCounts, 'dayMs' | 'jobsAccepted'>,
  { language }: Pick<MemberVisit, 'language'>,
): string {
  return `${jobsText(jobsAccepted, language)} (${formatDay(startMs, language)})`;
}
