import { sumOf } from '@jobs-delete/runtime/batching/groups';
import type { ComponentChildren } from 'preact';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { dayMs, formatDay, formatDays, useTimeZone, utc } from '../web/time.tsx';
import {
  type ActivityFilter,
  type chartDaysOf,
  dayPathOf,
  filterQuery,
  maxChartDays,
} from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';
import type { Chart, ChartDay } from './chart-days.ts';
import type { DayLinksProps } from './day-links.tsx';
import { DayPlot, Hatch, hatched } from './day-plot.tsx';
import { type DayOrder, daySortOf, DayTable } from './day-table.tsx';

interface DayChartProps {
  readonly language: Language;
  readonly chart: Chart;
  readonly hrefOf: DayLinksProps['hrefOf'];
  /** The chosen order of the table, which is open then. */
  readonly order?: DayOrder | undefined;
  /** The page with the table in the order of a `sort`. Undefined: there is no order to choose. */
  readonly sortedHrefOf?: ((sort: string) => string) | undefined;
  readonly lead?: Lead | undefined;
}

/** A figure that leads a page, at the head of its chart. */
export interface Lead {
  readonly name: string;
  /** The page with the details. */
  readonly href: string;
  readonly value: string;
  readonly comparison: string;
}

/** Has one event, the chart. */
export const dayEventsPath = '/activity/days/events';

/** The jobs and the refused requests of each day as a picture, as sentences, and as a table. */
export function DayChart({ language, chart, hrefOf, order, sortedHrefOf, lead }: DayChartProps) {
  const { days, state, keptDays, isCut, emptyDays = 0, todayMs } = chart;
  const { chart: texts } = activityTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const total = sumOf(days, 'jobs');
  const most = days.reduce<ChartDay | undefined>(
    (found, day) => (day.jobs > (found?.jobs ?? 0) ? day : found),
    undefined,
  );
  const refused = days.reduce((sum, day) => sum + (day.refused ?? 0), 0);
  const [first, last] = [days.at(0)?.dayMs ?? 0, days.at(-1)?.dayMs ?? 0];
  const today = last === todayMs ? days.at(-1)?.jobs : 0;
  const firstRefused = days.find((day) => day.refused !== undefined)?.dayMs ?? first;
  const summary = isOfRemoved(state) ? texts.summary : texts.summaryOf;
  const jobsName = jobsNameOf(language, state);
  const day = (ms: number) => formatDay(ms, language);
  return (
    <ChartFrame
      language={language}
      state={state}
      lead={lead}
      period={formatDays(first, last, language)}
      jobs={format(total)}
      today={today ? format(today) : undefined}
      refused={refused > 0 ? format(refused) : undefined}
      plot={<DayPlot {...{ language, days, todayMs, jobsName, hrefOf }} hasRefused={refused > 0} />}
    >
      {emptyDays > 0 && <p>{texts.emptyDays(emptyDays, format(emptyDays))}</p>}
      {isCut && <p>{texts.cut(String(maxChartDays))}</p>}
      {keptDays !== undefined && <p>{texts.kept(format(keptDays))}</p>}
      <details open={order !== undefined}>
        <summary id="chart-table">{texts.table}</summary>
        <p id="chart-summary">
          {summary(format(total), day(first), day(last))}{' '}
          {most && texts.most(format(most.jobs), day(most.dayMs))}{' '}
          {refused > 0 && texts.refusedSummary(format(refused), day(firstRefused), day(last))}
        </p>
        <DayTable {...{ language, chart, jobsName, hrefOf, order, sortedHrefOf }} />
      </details>
    </ChartFrame>
  );
}

interface ChartFrameProps extends Pick<DayChartProps, 'language' | 'lead'> {
  readonly state: Chart['state'];
  /** The days of the chart. A figure that leads says them itself. */
  readonly period: string | undefined;
  /** The sum of the bars. */
  readonly jobs: string;
  /** The bar of the current day. Undefined: the chart has earlier days only. */
  readonly today: string | undefined;
  /** The sum of the refused requests. Undefined: there are none. */
  readonly refused: string | undefined;
  readonly plot: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Returns what leads from the chart of `/activity`: each day keeps state and token, and each order the filter. */
export function chartLinksOf(visit: Pick<MemberVisit, 'accountId'>, filter: ActivityFilter) {
  return {
    hrefOf: dayPathOf(visit, filter),
    sortedHrefOf: (sort: string) =>
      accountPath(visit, `/activity${filterQuery(filter, { sort })}#chart-table`),
  };
}

/** A card with a chart: its heading, what its shapes mean, and what follows it. */
function ChartFrame({
  language,
  state,
  lead,
  period,
  jobs,
  today,
  refused,
  plot,
  children,
}: ChartFrameProps) {
  const { chart: texts } = activityTexts[language];
  const isUtc = useTimeZone() === utc;
  // The page of a figure that leads shows the sums as figures.
  const sumOf = (sum: string) => (lead === undefined ? sum : undefined);
  return (
    <section class="card day-chart">
      <div class="heading">
        {lead === undefined ? (
          <div>
            <h2 id="chart-heading">{headingOf(language, state)}</h2>
            <span class="muted">{period !== undefined && (isUtc ? period : `${period}, UTC`)}</span>
          </div>
        ) : (
          <div class="lead">
            <h2 id="chart-heading">
              <a href={lead.href}>{lead.name}</a>
            </h2>
            <strong class="figure">{lead.value}</strong> <span class="muted">{lead.comparison}</span>
          </div>
        )}
        <p class="legend">
          <LegendEntry name={jobsNameOf(language, state)} value={sumOf(jobs)}>
            <rect width="10" height="10" rx="2" />
          </LegendEntry>
          {today !== undefined && (
            <LegendEntry name={texts.ofThemToday} value={sumOf(today)}>
              <Hatch />
              <rect width="10" height="10" rx="2" fill={hatched} />
            </LegendEntry>
          )}
          {refused !== undefined && (
            <LegendEntry name={texts.refused} value={sumOf(refused)}>
              <rect class="refused" width="10" height="10" rx="2" />
            </LegendEntry>
          )}
        </p>
      </div>
      {plot}
      {lead !== undefined && !isUtc && <p>{texts.utcDays}</p>}
      {children}
    </section>
  );
}

interface LegendEntryProps {
  readonly name: string;
  readonly value: string | undefined;
  /** The shape. */
  readonly children: ComponentChildren;
}

/** What a shape of the chart means, and its sum. */
function LegendEntry({ name, value, children }: LegendEntryProps) {
  return (
    <span>
      <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
        {children}
      </svg>
      {name} {value !== undefined && <strong>{value}</strong>}
    </span>
  );
}

interface ReservedChartProps extends Pick<DayChartProps, 'lead'> {
  readonly visit: Pick<MemberVisit, 'language' | 'url'>;
  readonly state?: Chart['state'];
  readonly period?: string;
  /** Whether the chart will have the current day. */
  readonly hasToday: boolean;
  /** Whether the chart will have refused requests. */
  readonly hasRefused: boolean;
}

/** Has the size of the chart whose days are still being counted, so that nothing moves when it comes. A reload shows it too. */
export function ReservedChart({ visit, state, period, hasToday, hasRefused, lead }: ReservedChartProps) {
  const { language, url } = visit;
  const { chart: texts } = activityTexts[language];
  const plot = (
    <p class={hasRefused ? 'counting with-refused' : 'counting'} data-unfinished>
      {texts.counting} <a href={url}>{texts.reload}</a>
    </p>
  );
  return (
    <ChartFrame
      {...{ language, state, lead, period, plot }}
      jobs="–"
      today={hasToday ? '–' : undefined}
      refused={hasRefused ? '–' : undefined}
    >
      <details>
        <summary>{texts.table}</summary>
        <p>{texts.counting}</p>
      </details>
    </ChartFrame>
  );
}

interface LateDayChartProps extends Pick<ReservedChartProps, 'hasToday' | 'hasRefused'> {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'url'>;
  readonly filter: ActivityFilter;
  readonly range: Pick<ReturnType<typeof chartDaysOf>, 'firstMs' | 'days'>;
  readonly order?: DayOrder | undefined;
}

/** The script of the page replaces it with the chart. */
export function LateDayChart({ visit, filter, range, order, ...expected }: LateDayChartProps) {
  const lastMs = range.firstMs + (range.days - 1) * dayMs;
  const query = filterQuery(filter, { sort: order && daySortOf(order) });
  return (
    <div aria-live="polite" data-events={accountPath(visit, `${dayEventsPath}${query}`)}>
      <ReservedChart
        visit={visit}
        state={filter.state}
        period={formatDays(range.firstMs, lastMs, visit.language)}
        {...expected}
      />
    </div>
  );
}

/** Returns whether the chart shows removed jobs. The jobs in other states are not removed yet, or never. */
function isOfRemoved(state: Chart['state']): boolean {
  return state === undefined || state === 'completed';
}

function jobsNameOf(language: Language, state: Chart['state']): string {
  const { chart: texts } = activityTexts[language];
  return isOfRemoved(state) ? texts.removed : texts.jobs;
}

function headingOf(language: Language, state: Chart['state']): string {
  const { chart: texts, states } = activityTexts[language];
  return isOfRemoved(state) || state === undefined ? texts.heading : texts.headingOf(states[state]);
}
