import { csvLine } from '@jobs-delete/runtime/text/safe-text';
import type { DeleterCalls, DeletionsPage, DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { problemPage } from '../web/problem-page.tsx';
import type { Route } from '../web/route.ts';
import { filterProblems, rangeOf, readFilter } from './activity-filter.ts';
import { dayOf } from '../web/time.tsx';

const pageSize = 500;

/** All deletions that fit the filter, as CSV. */
export function exportRoutes({
  accounts,
  deleter,
}: Pick<Services, 'accounts' | 'deleter'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/activity/export.csv',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, query, nowMs } = visit;
        const filter = readFilter(query);
        if (Object.keys(filterProblems(filter)).length > 0) return problemPage(visit, 'badRequest');
        const wanted = { accountId, pageSize, ...rangeOf(filter) };
        const [tokens, firstPage] = await Promise.all([
          accounts.listCredentials('token', accountId),
          // Before the answer starts: a deleter that is away gets a page with status 503.
          deleter.listDeletions(wanted),
        ]);
        return {
          kind: 'file',
          name: `deletions-${dayOf(nowMs)}.csv`,
          chunks: csvOf(firstPage, wanted, deleter, new Map(tokens.map(({ id, name }) => [id, name]))),
        };
      },
    },
  ];
}

/** Holds one page in memory. Reads the next one when the browser has taken it. */
async function* csvOf(
  firstPage: DeletionsPage | undefined,
  query: DeletionsQuery,
  deleter: Pick<DeleterCalls, 'listDeletions'>,
  names: ReadonlyMap<string, string | undefined>,
): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  for (let page = firstPage; page !== undefined;) {
    const lines = page.deletions.map((deletion) => csvLine(columns.map(([, read]) => read(deletion, names))));
    if (lines.length > 0) yield lines.join('');
    const { nextPageToken: pageToken } = page;
    page = pageToken === undefined ? undefined : await deleter.listDeletions({ ...query, pageToken });
  }
}

type ReadColumn = (
  deletion: Deletion,
  names: ReadonlyMap<string, string | undefined>,
) => string | number | undefined;

const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

const columns: readonly (readonly [name: string, read: ReadColumn])[] = [
  ['deletion_id', ({ id }) => id],
  ['state', ({ state }) => state],
  ['jobs', ({ jobCount }) => jobCount],
  ['kept_jobs', ({ keptJobCount }) => keptJobCount],
  ['accepted_at', ({ acceptedAtMs }) => time(acceptedAtMs)],
  ['removal_at', ({ removalAtMs }) => time(removalAtMs)],
  ['cancelled_at', ({ cancelledAtMs }) => time(cancelledAtMs)],
  ['completed_at', ({ completedAtMs }) => time(completedAtMs)],
  ['duration_ms', ({ acceptedAtMs, completedAtMs }) => completedAtMs && completedAtMs - acceptedAtMs],
  ['token_id', ({ origin }) => origin.tokenId],
  ['token_name', ({ origin }, names) => names.get(origin.tokenId)],
  ['person', ({ origin }) => origin.person],
  ['origin', ({ origin }) => origin.webOrigin],
  ['user_agent', ({ origin }) => origin.userAgent],
  ['client_technology', ({ origin }) => origin.clientTechnology],
  ['language', ({ origin }) => origin.language],
  ['request_id', ({ origin }) => origin.requestId],
];
