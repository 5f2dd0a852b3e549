import { deletionStates, type DeletionState } from '../deleter/deletion.ts';
import type { DeletionsQuery } from '../deleter/deleter-calls.ts';
import { accountPath, queryOf } from '../web/account-path.ts';
import { dayMs, dayOf, firstDayOf } from '../web/time.tsx';

/** The days of a filter form, in UTC, such as `2026-01-31`, or empty. */
export interface DayRange {
  readonly from: string;
  /** The last day, inclusive. */
  readonly to: string;
}

/** The choices of the filter form. */
export interface ActivityFilter extends DayRange {
  readonly state: DeletionState | undefined;
  /** The `state` of the address, if there is no such state. */
  readonly unknownState?: string;
  readonly tokenId: string;
}

type FilterProblem = 'not-a-day' | 'ends-before-start';
export type DayProblems = Readonly<Partial<Record<'from' | 'to', FilterProblem>>>;
export type FilterProblems = DayProblems & { readonly state?: 'unknown' };

/** Reads the fields of the filter form. One that was sent without a first day asks for all days. */
export function readFilter(query: URLSearchParams): ActivityFilter {
  const text = (query.get('state') ?? '').slice(0, 100);
  const state = deletionStates.find((each) => each === text);
  return {
    state,
    ...(state === undefined && text !== '' && { unknownState: text }),
    ...readDayRange(query),
    ...(query.get('from') === '' && { from: firstOfAll }),
    tokenId: (query.get('token') ?? '').slice(0, 100),
  };
}

/** The first day of a page of all deletions. */
export const firstOfAll = '1970-01-01';

/** Returns the filter with a first day: a page without any choice has the last 30 days, and one without days has all. */
export function withPeriod(filter: ActivityFilter, nowMs: number): ActivityFilter {
  if (filter.from !== '') return filter;
  const from = filterQuery(filter) !== '' ? firstOfAll : dayOf(firstDayOf(nowMs, defaultChartDays));
  return { ...filter, from };
}

export function readDayRange(query: URLSearchParams): DayRange {
  return { from: (query.get('from') ?? '').slice(0, 20), to: (query.get('to') ?? '').slice(0, 20) };
}

export function filterProblems(filter: DayRange & Pick<ActivityFilter, 'unknownState'>): FilterProblems {
  return { ...(filter.unknownState !== undefined && { state: 'unknown' }), ...dayProblems(filter) };
}

export function dayProblems({ from, to }: DayRange): DayProblems {
  const isWrong = (day: string) => day !== '' && startOfDay(day) === undefined;
  if (isWrong(from)) return { from: 'not-a-day', ...(isWrong(to) && { to: 'not-a-day' }) };
  if (isWrong(to)) return { to: 'not-a-day' };
  return from !== '' && to !== '' && to < from ? { to: 'ends-before-start' } : {};
}

/** Returns the part of a query that the filter without problems sets. */
export function rangeOf({
  state,
  from,
  to,
  tokenId,
}: ActivityFilter): Pick<DeletionsQuery, 'state' | 'tokenId' | 'acceptedFromMs' | 'acceptedToMs'> {
  const { fromMs, toMs } = timesOf({ from, to });
  return {
    state,
    tokenId: tokenId === '' ? undefined : tokenId,
    acceptedFromMs: fromMs,
    acceptedToMs: toMs,
  };
}

/** Returns the begin and the exclusive end of days without problems. */
export function timesOf({ from, to }: DayRange): {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
} {
  const lastMs = startOfDay(to);
  return { fromMs: startOfDay(from), toMs: lastMs === undefined ? undefined : lastMs + dayMs };
}

/** The deleter counts no more at once. */
export const maxChartDays = 92;
/** The days of the chart of a filter without a first day. */
const defaultChartDays = 30;

/**
 * Returns the days of the filter's chart: the last 30 days up to its last day, unless the filter has a first day. The chart has
 * at most the last 92 days of the filter.
 */
export function chartDaysOf(
  { from, to }: DayRange,
  nowMs: number,
): { readonly firstMs: number; readonly days: number; readonly isCut: boolean } {
  const todayMs = nowMs - (nowMs % dayMs);
  const fromMs = startOfDay(from);
  const lastMs = Math.max(fromMs ?? 0, Math.min(startOfDay(to) ?? todayMs, todayMs));
  const wanted = fromMs === undefined ? defaultChartDays : (lastMs - fromMs) / dayMs + 1;
  const days = Math.min(wanted, maxChartDays, lastMs / dayMs + 1);
  return { firstMs: firstDayOf(lastMs, days), days, isCut: wanted > maxChartDays };
}

/** Returns whether refused requests belong to the filter: their counts have neither state nor token. */
export function isOfAll({ state, tokenId }: Pick<ActivityFilter, 'state' | 'tokenId'>): boolean {
  return state === undefined && tokenId === '';
}

/** Returns the filter and other fields as the query of an address, such as `?state=completed`; empty for all deletions. */
export function filterQuery(
  { state, from, to, tokenId }: ActivityFilter,
  others: Readonly<Record<string, string | undefined>> = {},
): string {
  return queryOf({ state, from, to, token: tokenId, ...others });
}

/** Returns the path of the list of deletions of a day, or of several days. It keeps state and token. */
export function dayPathOf(visit: { readonly accountId: string }, filter?: ActivityFilter) {
  const all = filter ?? readFilter(new URLSearchParams());
  return (day: string, lastDay = day) =>
    accountPath(visit, `/activity${filterQuery({ ...all, from: day, to: lastDay })}#list-heading`);
}

/** Returns undefined for text that is no day of the calendar since 1970. */
function startOfDay(day: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return ms >= 0 && dayOf(ms) === day ? ms : undefined;
}
