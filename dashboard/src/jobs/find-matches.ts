import { type Clock, systemClock, withTimeLimit } from '@jobs-delete/runtime/time/clock';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls, JobsPage, JobsQuery } from '../deleter/deleter-calls.ts';

/** How long a page waits for its number of jobs. */
export const countPatienceMs = 300;
const countedPages = 10;
const countSize = 100;

/** Counts what a search finds from its page on, for a short time. A page that is not full is the last,
 * or has used up the second of the deleter. */
export async function countMatches(
  deleter: Pick<DeleterCalls, 'searchJobs'>,
  { limit, ...query }: JobsQuery & { readonly text: string },
  first: JobsPage,
  clock: Pick<Clock, 'now' | 'sleep'> = systemClock,
): Promise<{ readonly found: number; readonly isAll: boolean }> {
  let found = first.jobIds.length;
  if (found < limit) return { found, isAll: first.next === undefined };
  const endMs = clock.now() + countPatienceMs;
  let page: JobsPage | undefined = first;
  for (let pages = 0; page?.next !== undefined && pages < countedPages; pages++) {
    const search = deleter.searchJobs({ ...query, limit: countSize, after: page.next });
    page = await ifAvailable(withTimeLimit(search, endMs - clock.now(), () => undefined, clock));
    found += page?.jobIds.length ?? 0;
  }
  return { found, isAll: page !== undefined && page.next === undefined };
}
