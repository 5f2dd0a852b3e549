import { type Clock, systemClock, withTimeLimit } from '@jobs-delete/runtime/time/clock';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls, JobsPage, JobsQuery } from '../deleter/deleter-calls.ts';

/** How long a search may take to count its jobs. */
const countPatienceMs = 300;
/** How long a deletion waits for the jobs of its search. */
export const searchPatienceMs = 10_000;
/** The most that one search of the deleter finds. */
const searchSize = 100;

type Search = Pick<DeleterCalls, 'searchJobs'>;
type Query = Omit<JobsQuery, 'limit' | 'after'> & { readonly text: string };

/**
 * Counts what a search finds from this page on: about 1,000 jobs at most. Does not go on after a page that is not full: it is the
 * last one, or its search has lasted a second, the most that the deleter allows.
 */
export async function countMatches(
  deleter: Search,
  { limit, ...query }: Query & Pick<JobsQuery, 'limit'>,
  first: JobsPage,
  clock?: Pick<Clock, 'now' | 'sleep'>,
): Promise<{ readonly found: number; readonly isAll: boolean }> {
  const ends = { maxJobs: limit + 1_000, patienceMs: first.jobIds.length < limit ? 0 : countPatienceMs };
  const { jobIds, isAll } = await searchOn(deleter, query, first, ends, clock);
  return { found: jobIds.length, isAll };
}

/** Resolves to all jobs that a search finds. `too-many`: above the maximum. `unfinished`: no api answers, or the time is over. */
export async function findMatches(
  deleter: Search,
  query: Query,
  maxJobs: number,
  clock?: Pick<Clock, 'now' | 'sleep'>,
): Promise<readonly string[] | 'too-many' | 'unfinished'> {
  const start = { jobIds: [], next: '' };
  // One more shows that there are too many.
  const ends = { maxJobs: maxJobs + 1, patienceMs: searchPatienceMs };
  const { jobIds, isAll } = await searchOn(deleter, query, start, ends, clock);
  if (jobIds.length > maxJobs) return 'too-many';
  return isAll ? jobIds : 'unfinished';
}

interface Ends {
  /** The search stops once it has found this number. */
  readonly maxJobs: number;
  readonly patienceMs: number;
}

/** Continues a search after one of its pages. */
async function searchOn(
  deleter: Search,
  query: Query,
  first: JobsPage,
  { maxJobs, patienceMs }: Ends,
  clock: Pick<Clock, 'now' | 'sleep'> = systemClock,
): Promise<{ readonly jobIds: readonly string[]; readonly isAll: boolean }> {
  const endMs = clock.now() + patienceMs;
  const jobIds = [...first.jobIds];
  let page: JobsPage | undefined = first;
  while (page?.next !== undefined && jobIds.length < maxJobs && clock.now() < endMs) {
    const search = deleter.searchJobs({ ...query, limit: searchSize, after: page.next });
    page = await ifAvailable(withTimeLimit(search, endMs - clock.now(), () => undefined, clock));
    jobIds.push(...(page?.jobIds ?? []));
  }
  return { jobIds, isAll: page !== undefined && page.next === undefined };
}
