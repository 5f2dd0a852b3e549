import { scaleBand, scaleLinear } from 'd3-scale';
import type { DayCounts } from '../deleter/deleter-calls.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { dayOf } from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';

export interface DayChartProps {
  readonly language: Language;
  /** Ascending. */
  readonly days: readonly DayCounts[];
}

/** Has one event, the chart. */
export const dayEventsPath = '/activity/days/events';

/** The edges of the bars in the picture. Around them stand the labels of the axes. */
const plot = { left: 48, right: 900, top: 10, bottom: 190 };

/** The jobs deleted per day as bars, as a sentence, and as a table. */
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
      <div class="scroll plot" tabindex={0} role="region" aria-labelledby="chart-heading">
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
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'url'>;
}

/** Stands for a chart whose days are still being counted. The script of the page replaces it with the chart. A reload
 * shows it too. */
export function LateDayChart({ visit }: LateDayChartProps) {
  const { chart: texts } = activityTexts[visit.language];
  return (
    <div aria-live="polite" data-events={accountPath(visit, dayEventsPath)}>
      <section>
        <h2>{texts.heading}</h2>
        <p data-unfinished>
          {texts.counting} <a href={visit.url}>{texts.reload}</a>
        </p>
      </section>
    </div>
  );
}

function Bars({ language, days, highest }: DayChartProps & { readonly highest: number }) {
  const full = new Intl.NumberFormat(language);
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const month = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  const x = scaleBand<number>()
    .domain(days.map((day) => day.dayMs))
    .range([plot.left, plot.right])
    .padding(0.25);
  const y = scaleLinear()
    .domain([0, Math.max(highest, 1)])
    .nice(4)
    .range([plot.bottom, plot.top]);
  return (
    <svg
      class="chart"
      role="img"
      aria-labelledby="chart-heading"
      aria-describedby="chart-summary"
      viewBox={`0 0 ${String(plot.right)} ${String(plot.bottom + 36)}`}
    >
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((value) => (
          <>
            <line x1={plot.left} x2={plot.right} y1={y(value)} y2={y(value)} />
            <text class="tick" x={plot.left - 8} y={y(value) + 4}>
              {short.format(value)}
            </text>
          </>
        ))}
      {days.map(({ dayMs, jobsRemoved }, index) => {
        const left = x(dayMs) ?? 0;
        const middle = left + x.bandwidth() / 2;
        const top = jobsRemoved === 0 ? plot.bottom : Math.min(y(jobsRemoved), plot.bottom - 2);
        const day = new Date(dayMs).getUTCDate();
        return (
          <g>
            <title>{`${dayOf(dayMs)}: ${full.format(jobsRemoved)}`}</title>
            <rect x={left} y={top} width={x.bandwidth()} height={plot.bottom - top} rx={2} />
            <text class="day" x={middle} y={plot.bottom + 16}>
              {String(day)}
            </text>
            {(day === 1 || index === 0) && (
              <text class="day" x={middle} y={plot.bottom + 31}>
                {month.format(dayMs)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function DayTable({ language, days }: DayChartProps) {
  const { chart: texts } = activityTexts[language];
  const full = new Intl.NumberFormat(language);
  return (
    <Table
      heading="chart-heading"
      columns={[{ header: texts.day }, { number: texts.deletions }, { number: texts.removed }]}
      rows={days
        .toReversed()
        .map((day) => [dayOf(day.dayMs), full.format(day.deletions), full.format(day.jobsRemoved)])}
      isCompact
    />
  );
}
