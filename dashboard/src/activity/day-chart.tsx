import type { DayCounts } from '../deleter/deleter-calls.ts';
import type { Language } from '../web/language.ts';
import { dayOf } from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';

export interface DayChartProps {
  readonly language: Language;
  /** Ascending. */
  readonly days: readonly DayCounts[];
}

/** Has one event, the chart. */
export const dayEventsPath = '/activity/days/events';

const [barWidth, gap, plotHeight, labelHeight] = [24, 4, 140, 16];
const step = barWidth + gap;

/** The jobs deleted per day as bars with their values, as a sentence, and as a table. */
export function DayChart({ language, days }: DayChartProps) {
  const { chart: texts } = activityTexts[language];
  const full = new Intl.NumberFormat(language);
  const total = days.reduce((sum, { jobsRemoved }) => sum + jobsRemoved, 0);
  const most = days.reduce<DayCounts | undefined>(
    (found, day) => (day.jobsRemoved > (found?.jobsRemoved ?? 0) ? day : found),
    undefined,
  );
  const [first, last] = [days.at(0)?.dayMs ?? 0, days.at(-1)?.dayMs ?? 0];
  return (
    <section>
      <h2 id="chart-heading">{texts.heading}</h2>
      <p id="chart-summary">
        {texts.summary(full.format(total), dayOf(first), dayOf(last))}{' '}
        {most && texts.most(full.format(most.jobsRemoved), dayOf(most.dayMs))}
      </p>
      <div class="scroll" tabindex={0} role="region" aria-labelledby="chart-heading">
        <Bars language={language} days={days} highest={most?.jobsRemoved ?? 0} />
      </div>
      <details>
        <summary>{texts.table}</summary>
        <DayTable language={language} days={days} />
      </details>
    </section>
  );
}

export interface LateDayChartProps {
  readonly language: Language;
  /** The address of the page, which has the chart a moment later. */
  readonly href: string;
}

/** Stands for a chart whose days are still being counted. The script of the page replaces it with the chart. */
export function LateDayChart({ language, href }: LateDayChartProps) {
  const { chart: texts } = activityTexts[language];
  return (
    <div aria-live="polite" data-events={dayEventsPath}>
      <section>
        <h2>{texts.heading}</h2>
        <p data-unfinished>
          {texts.counting} <a href={href}>{texts.reload}</a>
        </p>
      </section>
    </div>
  );
}

function Bars({ language, days, highest }: DayChartProps & { readonly highest: number }) {
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const width = days.length * step;
  const base = labelHeight + plotHeight;
  return (
    <svg
      class="chart"
      role="img"
      aria-labelledby="chart-heading"
      aria-describedby="chart-summary"
      width={width}
      height={base + labelHeight}
      viewBox={`0 0 ${String(width)} ${String(base + labelHeight)}`}
    >
      {days.map(({ dayMs, jobsRemoved }, index) => {
        const height = highest === 0 ? 0 : Math.ceil((jobsRemoved / highest) * plotHeight);
        const middle = index * step + step / 2;
        return (
          <>
            <rect x={index * step + gap / 2} y={base - height} width={barWidth} height={height} />
            {jobsRemoved > 0 && (
              <text x={middle} y={base - height - 4}>
                {short.format(jobsRemoved)}
              </text>
            )}
            <text x={middle} y={base + 12}>
              {String(new Date(dayMs).getUTCDate())}
            </text>
          </>
        );
      })}
      <line x1={0} x2={width} y1={base} y2={base} />
    </svg>
  );
}

function DayTable({ language, days }: DayChartProps) {
  const { chart: texts } = activityTexts[language];
  const full = new Intl.NumberFormat(language);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.day}</th>
          <th scope="col">{texts.deletions}</th>
          <th scope="col">{texts.removed}</th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr>
            <th scope="row">{dayOf(day.dayMs)}</th>
            <td>{full.format(day.deletions)}</td>
            <td>{full.format(day.jobsRemoved)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
