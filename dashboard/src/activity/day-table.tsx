import { Table } from '../web/table.tsx';
import type { Language } from '../web/language.ts';
import { activityTexts } from './activity-texts.ts';
import type { Chart, ChartDay } from './chart-days.ts';
import { dayOf, formatDay } from '../web/time.tsx';

const columns = ['day', 'deletions', 'jobs', 'refused'] as const;

/** What the rows are ordered by. */
export interface DayOrder {
  readonly by: (typeof columns)[number];
  readonly direction: 'ascending' | 'descending';
}

const newestFirst: DayOrder = { by: 'day', direction: 'descending' };

/** Reads `sort=jobs` and, for the largest first, `sort=-jobs`. Returns undefined for another text. */
export function readDayOrder(query: URLSearchParams): DayOrder | undefined {
  const [, sign, name] = /^(-?)([a-z]+)$/.exec(query.get('sort') ?? '') ?? [];
  const by = columns.find((column) => column === name);
  return by && { by, direction: sign === '-' ? 'descending' : 'ascending' };
}

/** Returns the value of `sort` that chooses the order. */
export function daySortOf({ by, direction }: DayOrder): string {
  return direction === 'descending' ? `-${by}` : by;
}

interface DayTableProps {
  readonly language: Language;
  readonly chart: Chart;
  /** What the jobs of the chart are. */
  readonly jobsName: string;
  /** The page of a day, such as `2026-01-31`. */
  readonly hrefOf: (day: string) => string;
  readonly order?: DayOrder | undefined;
  /** The page with the table in this order. Undefined: there is no order to choose. */
  readonly sortedHrefOf?: ((sort: string) => string) | undefined;
}

/** The figures of each day, the newest first unless another order is chosen. */
export function DayTable(props: DayTableProps) {
  const { language, chart, jobsName, hrefOf, order = newestFirst, sortedHrefOf } = props;
  const { days, todayMs } = chart;
  const { chart: texts } = activityTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const hasRefused = days.some(({ refused }) => refused !== undefined);
  return (
    <Table
      heading="chart-table"
      columns={[
        { header: texts.day },
        { number: texts.deletions },
        { number: jobsName },
        hasRefused && { number: texts.refused },
      ]}
      orders={
        sortedHrefOf &&
        columns.map((by) => ({
          href: sortedHrefOf(daySortOf(nextOrder(by, order))),
          direction: by === order.by ? order.direction : undefined,
        }))
      }
      rows={sortDays(days, order).map(({ dayMs, deletions, jobs, refused }) => [
        <>
          <a href={hrefOf(dayOf(dayMs))}>{formatDay(dayMs, language)}</a>
          {dayMs === todayMs && ` (${texts.today})`}
        </>,
        format(deletions),
        format(jobs),
        refused === undefined ? '–' : format(refused),
      ])}
      isCompact
    />
  );
}

/** The header of the chosen column turns its order round. The others begin with the largest. */
function nextOrder(by: DayOrder['by'], order: DayOrder): DayOrder {
  const isTurned = by === order.by && order.direction === 'descending';
  return { by, direction: isTurned ? 'ascending' : 'descending' };
}

/** Of equal days, the newest is the first. */
function sortDays(days: readonly ChartDay[], { by, direction }: DayOrder): readonly ChartDay[] {
  const sign = direction === 'ascending' ? 1 : -1;
  const valueOf = (day: ChartDay) => (by === 'day' ? day.dayMs : (day[by] ?? -1));
  return days.toSorted((a, b) => sign * (valueOf(a) - valueOf(b)) || b.dayMs - a.dayMs);
}
