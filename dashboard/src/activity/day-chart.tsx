import type { ComponentChildren } from 'preact';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { type ActivityFilter, dayOf, filterQuery, maxChartDays } from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';
import type { Chart, ChartDay } from './chart-days.ts';
import { DayPlot, Diamond } from './day-plot.tsx';

export interface DayChartProps {
  readonly language: Language;
  readonly chart: Chart;
}

/** Has one event, the chart. */
export const dayEventsPath = '/activity/days/events';

/** The jobs and the refused requests of each day as a picture, as sentences, and as a table. */
export function DayChart({ language, chart: { days, state, keptDays, isCut } }: DayChartProps) {
  const { chart: texts } = activityTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const total = days.reduce((sum, { jobs }) => sum + jobs, 0);
  const most = days.reduce<ChartDay | undefined>(
    (found, day) => (day.jobs > (found?.jobs ?? 0) ? day : found),
    undefined,
  );
  const refused = days.reduce((sum, day) => sum + (day.refused ?? 0), 0);
  const [first, last] = [days.at(0)?.dayMs ?? 0, days.at(-1)?.dayMs ?? 0];
  const firstRefused = days.find((day) => day.refused !== undefined)?.dayMs ?? first;
  const summary = isOfRemoved(state) ? texts.summary : texts.summaryOf;
  return (
    <ChartFrame
      language={language}
      state={state}
      jobs={format(total)}
      refused={refused > 0 ? format(refused) : undefined}
      plot={<DayPlot language={language} days={days} hasRefused={refused > 0} />}
    >
      {isCut && <p>{texts.cut(String(maxChartDays))}</p>}
      {keptDays !== undefined && <p>{texts.kept(format(keptDays))}</p>}
      <details>
        <summary>{texts.table}</summary>
        <p id="chart-summary">
          {summary(format(total), dayOf(first), dayOf(last))}{' '}
          {most && texts.most(format(most.jobs), dayOf(most.dayMs))}{' '}
          {refused > 0 && texts.refusedSummary(format(refused), dayOf(firstRefused), dayOf(last))}
        </p>
        <DayTable language={language} chart={{ days, state }} />
      </details>
    </ChartFrame>
  );
}

interface ChartFrameProps extends Pick<DayChartProps, 'language'> {
  readonly state: Chart['state'];
  /** The sum of the bars. */
  readonly jobs: string;
  /** The sum of the diamonds. Undefined: there are none. */
  readonly refused: string | undefined;
  readonly plot: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A chart with its heading, what its shapes mean, and what follows it. */
function ChartFrame({ language, state, jobs, refused, plot, children }: ChartFrameProps) {
  const { chart: texts } = activityTexts[language];
  return (
    <section>
      <h2 id="chart-heading">{headingOf(language, state)}</h2>
      <p class="legend">
        <span>
          <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="2" />
          </svg>
          {isOfRemoved(state) ? texts.removed : texts.jobs} <strong>{jobs}</strong>
        </span>
        {refused !== undefined && (
          <span>
            <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
              <Diamond x={5} y={5} />
            </svg>
            {texts.refused} <strong>{refused}</strong>
          </span>
        )}
      </p>
      <div class="scroll plot" tabindex={0} role="region" aria-labelledby="chart-heading">
        {plot}
      </div>
      {children}
    </section>
  );
}

export interface ReservedChartProps {
  readonly visit: Pick<MemberVisit, 'language' | 'url'>;
  readonly state?: Chart['state'];
  /** Whether the chart will have refused requests. */
  readonly hasRefused: boolean;
}

/** Has the size of the chart whose days are still being counted, so that nothing moves when it comes. A reload shows it too. */
export function ReservedChart({ visit: { language, url }, state, hasRefused }: ReservedChartProps) {
  const { chart: texts } = activityTexts[language];
  const plot = (
    <p class={hasRefused ? 'counting with-refused' : 'counting'} data-unfinished>
      {texts.counting} <a href={url}>{texts.reload}</a>
    </p>
  );
  return (
    <ChartFrame language={language} state={state} jobs="–" refused={hasRefused ? '–' : undefined} plot={plot}>
      <details>
        <summary>{texts.table}</summary>
        <p>{texts.counting}</p>
      </details>
    </ChartFrame>
  );
}

export interface LateDayChartProps extends Omit<ReservedChartProps, 'state'> {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'url'>;
  readonly filter: ActivityFilter;
}

/** The script of the page replaces it with the chart. */
export function LateDayChart({ visit, filter, hasRefused }: LateDayChartProps) {
  return (
    <div aria-live="polite" data-events={accountPath(visit, `${dayEventsPath}${filterQuery(filter)}`)}>
      <ReservedChart visit={visit} state={filter.state} hasRefused={hasRefused} />
    </div>
  );
}

/** Returns whether deletions in a state have a chart. They wait for a few days, so one of waiting ones would be almost empty. */
export function hasChart(state: Chart['state']): boolean {
  return state !== 'waiting';
}

/** Returns whether the chart shows removed jobs. The jobs in other states are not removed yet, or never. */
function isOfRemoved(state: Chart['state']): boolean {
  return state === undefined || state === 'completed';
}

function headingOf(language: Language, state: Chart['state']): string {
  const { chart: texts, states } = activityTexts[language];
  return isOfRemoved(state) || state === undefined ? texts.heading : texts.headingOf(states[state]);
}

function DayTable({ language, chart: { days, state } }: DayChartProps) {
  const { chart: texts } = activityTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const hasRefused = days.some(({ refused }) => refused !== undefined);
  return (
    <Table
      heading="chart-heading"
      columns={[
        { header: texts.day },
        { number: texts.deletions },
        { number: isOfRemoved(state) ? texts.removed : texts.jobs },
        hasRefused && { number: texts.refused },
      ]}
      rows={days
        .toReversed()
        .map(({ dayMs, deletions, jobs, refused }) => [
          dayOf(dayMs),
          format(deletions),
          format(jobs),
          refused === undefined ? '–' : format(refused),
        ])}
      isCompact
    />
  );
}
