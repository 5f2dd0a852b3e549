import { sumOf } from '@jobs-delete/runtime/batching/groups';
import type { Language } from '../web/language.ts';
import { dayOf, formatDay, formatDays } from '../web/time.tsx';
import { activityTexts } from './activity-texts.ts';
import type { Chart, ChartDay } from './chart-days.ts';

export interface DayLinksProps extends Pick<Chart, 'days' | 'todayMs'> {
  readonly language: Language;
  /** What the bars count. */
  readonly jobsName: string;
  /** Whether the days have refused requests. */
  readonly hasRefused: boolean;
  /** The page of a day such as `2026-01-31`, or of several days. */
  readonly hrefOf: (day: string, lastDay?: string) => string;
}

/** The most links that stay wide enough for a finger on a phone of 360 px. */
const maxNarrow = 9;

/**
 * Links over the columns of the days, with their values under the pointer. On a phone, a link of a long chart covers several days,
 * and leads to their chart. The keyboard and screen readers skip all of them: the table has the same links and values.
 */
export function DayLinks({ language, days, todayMs, jobsName, hasRefused, hrefOf }: DayLinksProps) {
  const { chart: texts } = activityTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const isLong = days.length > maxNarrow;
  const factsOf = ({ jobs, deletions, refused }: ChartDay) =>
    [
      [jobsName, jobs],
      [texts.deletions, deletions],
      [texts.refused, hasRefused ? refused : undefined],
    ] as const;
  return (
    <>
      <div class={isLong ? 'days long' : 'days'}>
        {days.map((day, index) => (
          <a href={hrefOf(dayOf(day.dayMs))} tabindex={-1}>
            <span class={index < days.length / 3 ? 'after' : undefined}>
              <b>{formatDay(day.dayMs, language)}</b>
              {day.dayMs === todayMs && <span>{texts.today}</span>}
              {factsOf(day).map(
                ([name, value]) =>
                  value !== undefined && (
                    <span>
                      {name} <b>{format(value)}</b>
                    </span>
                  ),
              )}
            </span>
          </a>
        ))}
      </div>
      {isLong && <PeriodLinks {...{ language, days, jobsName, hrefOf }} />}
    </>
  );
}

/** An SVG, because its shapes have any width without an inline style, which the Content-Security-Policy forbids. */
function PeriodLinks({
  language,
  days,
  jobsName,
  hrefOf,
}: Pick<DayLinksProps, 'language' | 'days' | 'jobsName' | 'hrefOf'>) {
  const { format } = new Intl.NumberFormat(language);
  const percentOf = (count: number) => `${((100 * count) / days.length).toFixed(2)}%`;
  return (
    <svg class="day-groups">
      {periodsOf(days.length).map(({ start, end }) => {
        const [firstMs = 0, lastMs = 0] = [days[start]?.dayMs, days[end - 1]?.dayMs];
        const jobs = sumOf(days.slice(start, end), 'jobs');
        return (
          <a href={hrefOf(dayOf(firstMs), dayOf(lastMs))} tabindex={-1}>
            <title>{`${formatDays(firstMs, lastMs, language)}: ${jobsName} ${format(jobs)}`}</title>
            <rect x={percentOf(start)} width={percentOf(end - start)} height="100%" />
          </a>
        );
      })}
    </svg>
  );
}

/** Splits the days into periods of equal size, the oldest first. That one also has the remainder. */
function periodsOf(days: number): readonly { readonly start: number; readonly end: number }[] {
  const size = Math.ceil(days / maxNarrow);
  const count = Math.floor(days / size);
  const startOf = (index: number) => (index === 0 ? 0 : days - (count - index) * size);
  return Array.from({ length: count }, (_, index) => ({ start: startOf(index), end: startOf(index + 1) }));
}
