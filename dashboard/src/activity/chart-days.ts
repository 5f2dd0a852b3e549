import type { Accounts, Credential } from '@jobs-delete/accounts/accounts';
import { refusalRetentionDays, type RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import type { DayCounts, DeletionCounts, DeleterCalls } from '../deleter/deleter-calls.ts';
import type { DeletionState } from '../deleter/deletion.ts';
import type { MemberVisit } from '../web/route.ts';
import { chartDaysOf, firstOfAll, isOfAll, type ActivityFilter } from './activity-filter.ts';
import { createSharedReads } from '../web/late-value.ts';
import { dayMs, dayOf, firstDayOf } from '../web/time.tsx';

/** The contents of a chart. */
export interface Chart {
  /** Ascending. */
  readonly days: readonly ChartDay[];
  /** The start of the current day, whose counts are not complete. */
  readonly todayMs?: number | undefined;
  /** Only deletions of this state are shown. */
  readonly state?: DeletionState | undefined;
  /** How long deletions are kept, if some days of the chart are older. */
  readonly keptDays?: number | undefined;
  /** The filter has earlier days too, and the chart as many as fit. */
  readonly isCut?: boolean | undefined;
  /** How many earlier days were counted, all of whose deletions are kept, and have nothing. */
  readonly emptyDays?: number | undefined;
}

export interface ChartDay {
  readonly dayMs: number;
  readonly deletions: number;
  /** The jobs that were deleted; for another state than `completed`, the jobs of the deletions. */
  readonly jobs: number;
  /** The refused requests, without those to the sandbox. Undefined: they are not shown, or no longer known. */
  readonly refused?: number | undefined;
}

export interface ChartServices {
  readonly accounts: Pick<Accounts, 'listCredentials' | 'listRefusals'>;
  readonly dayCounter: DayCounter;
}

/** The reads that a page shares with its chart. */
interface ChartReads {
  readonly tokens: Promise<readonly Credential[]>;
  /** From the first day of the chart on, or from an earlier one. */
  readonly refusals: Promise<readonly RefusalCount[]>;
}

/**
 * Counts the days of the filter's chart. Does not ask the api about a token that the account does not have.
 */
export async function readChart(
  { accounts, dayCounter }: ChartServices,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
  filter: ActivityFilter,
  reads?: ChartReads,
): Promise<Chart> {
  const { state, tokenId } = filter;
  const { isCut, ...range } = chartDaysOf(filter, nowMs);
  const readTokens = () => reads?.tokens ?? accounts.listCredentials('token', accountId);
  const tokenExists = tokenId === '' || (await readTokens()).some(({ id }) => id === tokenId);
  const [counts, refusals] = await Promise.all([
    tokenExists
      ? dayCounter.count({ accountId, ...range, tokenId: tokenId || undefined })
      : emptyDays(range.firstMs, range.days),
    isOfAll(filter) ? (reads?.refusals ?? accounts.listRefusals(accountId, dayOf(range.firstMs))) : undefined,
  ]);
  const parts = { counts, state, refusals, nowMs };
  const chart = chartOf(parts);
  const start = filter.from === firstOfAll ? emptyStartOf(chart) : 0;
  const shown =
    start === 0 ? chart : chartOf({ ...parts, counts: { ...counts, days: counts.days.slice(start) } });
  const kept = (chart.keptDays ?? Infinity) - shown.days.length;
  return { ...shown, isCut: isCut && start === 0, emptyDays: Math.max(0, Math.min(start, kept)) };
}

/** Returns how many days a chart of all days leaves out: those before the first that has something, but for the last week. */
function emptyStartOf({ days }: Chart): number {
  const first = days.findIndex(({ deletions, refused }) => deletions > 0 || Boolean(refused));
  return Math.max(0, Math.min(first < 0 ? days.length : first, days.length - 7));
}

function emptyDays(firstMs: number, days: number): DeletionCounts {
  const none = { deletions: 0, jobsAccepted: 0, jobsRemoved: 0, states: [] };
  return {
    days: Array.from({ length: days }, (_, index) => ({ dayMs: firstMs + index * dayMs, ...none })),
    retentionMs: undefined,
  };
}

/** Returns the starts of the days of a chart whose counts of refused requests are complete. */
export function refusedDaysOf(
  { firstMs, days }: Pick<ReturnType<typeof chartDaysOf>, 'firstMs' | 'days'>,
  nowMs: number,
): readonly number[] {
  const starts = Array.from({ length: days }, (_, index) => firstMs + index * dayMs);
  return starts.filter((startMs) => areRefusalsKept(startMs, nowMs));
}

/** @param startsMs the starts of days, such as `refusedDaysOf` returns them */
export function hasRefusedIn(refusals: readonly RefusalCount[], startsMs: readonly number[]): boolean {
  const days = new Set(startsMs.map(dayOf));
  return refusals.some(({ day, count }) => count > 0 && days.has(day));
}

/** Returns whether the counts of the day that starts then are complete: the storage removes them a while later. */
function areRefusalsKept(startMs: number, nowMs: number): boolean {
  return startMs > nowMs - refusalRetentionDays * dayMs;
}

interface ChartParts {
  readonly counts: DeletionCounts;
  readonly state?: DeletionState | undefined;
  /** From the first day of the chart on, or from an earlier one. Undefined: the chart does not show them. */
  readonly refusals: readonly RefusalCount[] | undefined;
  readonly nowMs: number;
}

export function chartOf({ counts: { days, retentionMs }, state, refusals, nowMs }: ChartParts): Chart {
  const refused = new Map<string, number>();
  for (const { day, count } of refusals ?? []) refused.set(day, (refused.get(day) ?? 0) + count);
  const showsRefused = (startMs: number) => refusals !== undefined && areRefusalsKept(startMs, nowMs);
  return {
    days: days.map((day) => ({
      dayMs: day.dayMs,
      ...countsOf(day, state),
      refused: showsRefused(day.dayMs) ? (refused.get(dayOf(day.dayMs)) ?? 0) : undefined,
    })),
    todayMs: firstDayOf(nowMs, 1),
    state,
    keptDays:
      retentionMs !== undefined && retentionMs < nowMs - (days[0]?.dayMs ?? nowMs)
        ? retentionMs / dayMs
        : undefined,
  };
}

function countsOf({ deletions, jobsRemoved, states }: DayCounts, state: DeletionState | undefined) {
  if (state === undefined) return { deletions, jobs: jobsRemoved };
  const found = states.find((each) => each.state === state);
  return { deletions: found?.deletions ?? 0, jobs: state === 'completed' ? jobsRemoved : (found?.jobs ?? 0) };
}

export interface DaysQuery {
  readonly accountId: string;
  /** The start of the first UTC day. */
  readonly firstMs: number;
  /** 1 to 92. */
  readonly days: number;
  /** The API token of the requests. */
  readonly tokenId?: string | undefined;
}

export interface DayCounter {
  /** Counts the deletions of each day. Concurrent calls for the same days share one count. */
  count(query: DaysQuery): Promise<DeletionCounts>;
}

export function createDayCounter(deleter: Pick<DeleterCalls, 'countDeletions'>): DayCounter {
  const share = createSharedReads<DeletionCounts>();
  return {
    count: ({ accountId, firstMs, days, tokenId }) => {
      const query = { accountId, fromMs: firstMs, toMs: firstMs + days * dayMs, tokenId };
      return share(JSON.stringify(query), () => deleter.countDeletions(query));
    },
  };
}
