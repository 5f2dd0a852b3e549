import { sumOf } from '@jobs-delete/runtime/batching/groups';
import type { Chart } from '../activity/chart-days.ts';
import type { Lead } from '../activity/day-chart.tsx';
import type { DayCounts, StateCounts } from '../deleter/deleter-calls.ts';
import type { DeletionState } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { overviewTexts } from './overview-texts.ts';
import { dayOf, firstDayOf } from '../web/time.tsx';

export const shownDays = 30;

export interface Summary {
  /** 30 days, ascending. The last one is today. */
  readonly days: readonly DayCounts[];
  readonly waiting: Pick<StateCounts, 'deletions' | 'jobs'>;
  readonly jobs: number;
  readonly refused: number;
  readonly chart: Chart;
}

export type SummaryVisit = Pick<MemberVisit, 'accountId' | 'language' | 'url' | 'nowMs'>;

interface FiguresProps {
  readonly visit: SummaryVisit;
  /** Undefined while it is still being counted, or no api answers. */
  readonly summary?: Summary | undefined;
}

/** The counts of an account, each with a link to its details. */
export function Figures({ visit, summary }: FiguresProps) {
  const { jobs, waiting, today, week, refused } = figuresOf(visit);
  return (
    <ul class="card figures" data-unfinished={summary === undefined ? '' : undefined}>
      {[jobs, waiting, today, week, refused].map((figure) => {
        const { name, href, value, comparison } = leadOf(visit, figure, summary);
        return (
          <li>
            <span>
              <a href={href}>{name}</a>
            </span>
            <strong class="figure">{value}</strong>
            <span>{comparison}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the jobs that were deleted in the days of the chart. Without a chart, there are none. */
export function leadFigure(visit: SummaryVisit, summary?: Summary): Lead {
  return leadOf(visit, figuresOf(visit).month, summary);
}

function leadOf(visit: SummaryVisit, { name, path, read }: Figure, summary: Summary | undefined): Lead {
  const [value, comparison] =
    summary === undefined ? ['–', overviewTexts[visit.language].counting] : read(summary);
  return { name, href: accountPath(visit, path), value, comparison };
}

interface Figure {
  readonly name: string;
  /** The page with the details. */
  readonly path: `/${string}`;
  readonly read: (summary: Summary) => readonly [value: string, comparison: string];
}

function figuresOf({ language, nowMs }: SummaryVisit) {
  const texts = overviewTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const jobsOf = ({ days }: Summary, first: number, end?: number) =>
    format(sumOf(days.slice(first, end), 'jobsRemoved'));
  const lastDays = (days: number) => `/activity?from=${dayOf(firstDayOf(nowMs, days))}` as const;
  return {
    jobs: {
      name: texts.jobs,
      path: '/jobs',
      read: ({ jobs, waiting }) => [
        format(jobs),
        waiting.jobs === 0 ? '' : texts.waitingJobs(waiting.jobs, format(waiting.jobs)),
      ],
    },
    waiting: {
      name: texts.waiting,
      path: '/activity?state=waiting',
      read: ({ waiting: { deletions, jobs } }) => [
        format(deletions),
        deletions === 0 ? '' : texts.ofJobs(jobs, format(jobs)),
      ],
    },
    today: {
      name: texts.today,
      path: lastDays(1),
      read: (summary) => [jobsOf(summary, -1), texts.yesterday(jobsOf(summary, -2, -1))],
    },
    week: {
      name: texts.week,
      path: lastDays(7),
      read: (summary) => [jobsOf(summary, -7), texts.weekBefore(jobsOf(summary, -14, -7))],
    },
    month: {
      name: texts.month,
      path: `${lastDays(shownDays)}&state=completed`,
      read: (summary) => {
        const deletions = sumOf(inState(summary.days, 'completed'), 'deletions');
        return [jobsOf(summary, 0), texts.deletions(deletions, format(deletions))];
      },
    },
    refused: {
      name: texts.refused,
      // The list of refused requests has fewer days.
      path: '/activity#refusals-heading',
      read: ({ refused, days }) => {
        const requests = refused + sumOf(days, 'deletions');
        return [format(refused), requests === 0 ? '' : texts.ofAll(share.format(refused / requests))];
      },
    },
  } satisfies Readonly<Record<string, Figure>>;
}

export function inState(days: readonly DayCounts[], wanted: DeletionState): readonly StateCounts[] {
  return days.flatMap(({ states }) => states).filter(({ state }) => state === wanted);
}
