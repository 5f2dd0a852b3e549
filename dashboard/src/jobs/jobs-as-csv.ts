import { csvLine } from '@jobs-delete/runtime/text/safe-text';
import type { DeleterCalls, JobTitles } from '../deleter/deleter-calls.ts';
import type { MemberVisit, Reply } from '../web/route.ts';
import { dayOf } from '../web/time.tsx';

/** The limit of `getJobTitles`. */
const titlesPerCall = 100;

/** Returns a file with ids and titles. It is a record: nobody can read a title after the removal of its job. */
export async function jobsAsCsv(
  deleter: Pick<DeleterCalls, 'getJobTitles'>,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
  ids: readonly string[],
): Promise<Reply> {
  const readTitles = (first: number) =>
    deleter.getJobTitles(accountId, ids.slice(first, first + titlesPerCall));
  // Before the answer starts: a deleter that is away gets a page with status 503.
  const titles = await readTitles(0);
  return { kind: 'file', name: `jobs-${dayOf(nowMs)}.csv`, chunks: linesOf(ids, titles, readTitles) };
}

/** Holds the titles of one call in memory. */
async function* linesOf(
  ids: readonly string[],
  firstTitles: JobTitles,
  readTitles: (first: number) => Promise<JobTitles>,
): AsyncGenerator<string> {
  yield csvLine(['id', 'title']);
  for (let first = 0; first < ids.length; first += titlesPerCall) {
    const titles = first === 0 ? firstTitles : await readTitles(first);
    const some = ids.slice(first, first + titlesPerCall);
    yield some.map((id) => csvLine([id, titles.get(id)])).join('');
  }
}
