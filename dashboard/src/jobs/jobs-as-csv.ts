import { csvLine } from '@jobs-delete/runtime/text/safe-text';
import { jobsOfCall } from '../deleter/answer-to.ts';
import type { JobTitles } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import type { MemberVisit, Reply } from '../web/route.ts';
import { dayOf } from '../web/time.tsx';
import { idsPage } from './ids-page.tsx';
import { allIdsOf, problemOf, readIds } from './sent-ids.ts';

/** Answers with a file of the ids of a preview and their titles. It is a record: the title of a job is removed with it. */
export async function downloadJobs(services: Pick<Services, 'deleter'>, visit: MemberVisit): Promise<Reply> {
  const { accountId, form, nowMs } = visit;
  const read = readIds(form, 'ids');
  const problem = problemOf(visit, read);
  if (problem !== undefined) return idsPage(services, visit, { text: allIdsOf(form), problem });
  const { ids } = read;
  const readTitles = async (first: number) =>
    (await services.deleter.describeJobs(accountId, ids.slice(first, first + jobsOfCall))).titles;
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
  for (let first = 0; first < ids.length; first += jobsOfCall) {
    const titles = first === 0 ? firstTitles : await readTitles(first);
    const some = ids.slice(first, first + jobsOfCall);
    yield some.map((id) => csvLine([id, titles.get(id)])).join('');
  }
}
