import type { DayCounter } from '../activity/chart-days.ts';
import { jobsText } from '../activity/deletion-facts.tsx';
import type { DayCounts } from '../deleter/deleter-calls.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import type { MemberVisit } from '../web/route.ts';
import { firstDayOf, formatDay } from '../web/time.tsx';

const days = 30;

/** Resolves to the day of the last 30 on which most jobs were accepted. */
export async function findBusiestDay(
  dayCounter: DayCounter,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<DayCounts | 'none'> {
  const counts = await dayCounter.count({ accountId, firstMs: firstDayOf(nowMs, days), days });
  const busiest = counts.days.toSorted((a, b) => b.jobsAccepted - a.jobsAccepted)[0];
  return busiest?.jobsAccepted ? busiest : 'none';
}

/**
 * Returns the busiest day with its jobs: a limit below them would have stopped usual work.
 * @param busiest undefined: not counted in time
 */
export function busiestText(
  busiest: DayCounts | 'none' | undefined,
  { language }: Pick<MemberVisit, 'language'>,
): string | undefined {
  if (busiest === 'none') return undefined;
  if (busiest === undefined) return layoutTexts[language].uncounted;
  const { dayMs: startMs, jobsAccepted } = busiest;
  return `${jobsText(jobsAccepted, language)} (${formatDay(startMs, language)})`;
}
