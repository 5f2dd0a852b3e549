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
    <section>
      <h2 id="chart-heading">{headingOf(language, state)}</h2>
      <p id="chart-summary">
        {summary(format(total), dayOf(first), dayOf(last))}{' '}
        {most && texts.most(format(most.jobs), dayOf(most.dayMs))}{' '}
        {refused > 0 && texts.refusedSummary(format(refused), dayOf(firstRefused), dayOf(last))}
      </p>
      {isCut && <p>{texts.cut(String(maxChartDays))}</p>}
      {keptDays !== undefined && <p>{texts.kept(format(keptDays))}</p>}
      {refused > 0 && <Legend language={language} />}
      <div class="scroll plot" tabindex={0} role="region" aria-labelledby="chart-heading">
        <DayPlot language={language} days={days} hasRefused={refused > 0} />
      </div>
      <details>
        <summary>{texts.table}</summary>
        <DayTable language={language} chart={{ days, state }} />
      </details>
    </section>
  );
}

/** What the shapes of the picture mean. */
function Legend({ language }: Pick<DayChartProps, 'language'>) {
  const { chart: texts } = activityTexts[language];
  return (
    <p class="legend" aria-hidden="true">
      <svg class="chart" viewBox="0 0 10 10">
        <rect width="10" height="10" rx="2" />
      </svg>
      {texts.removed}
      <svg class="chart" viewBox="0 0 10 10">
        <Diamond x={5} y={5} />
      </svg>
      {texts.refused}
    </p>
  );
}

export interface LateDayChartProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'url'>;
  readonly filter: ActivityFilter;
}

/** Stands for a chart whose days are still being counted. The script of the page replaces it with the chart. A reload
 * shows it too. */
export function LateDayChart({ visit, filter }: LateDayChartProps) {
  const { chart: texts } = activityTexts[visit.language];
  return (
    <div aria-live="polite" data-events={accountPath(visit, `${dayEventsPath}${filterQuery(filter)}`)}>
      <section>
        <h2>{headingOf(visit.language, filter.state)}</h2>
        <p data-unfinished>
          {texts.counting} <a href={visit.url}>{texts.reload}</a>
        </p>
      </section>
    </div>
  );
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
