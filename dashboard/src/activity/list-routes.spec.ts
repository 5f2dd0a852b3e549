import { expect, test } from '@jest/globals';
import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import { Fault } from '@jobs-delete/runtime/fault';
import { Fragment, h } from 'preact';
import { render } from 'preact-render-to-string';
import type { DeletionsPage, DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { findDeletions, listRoutes } from './list-routes.tsx';
import { createDayCounter } from './chart-days.ts';

const never = () => new Promise<never>(() => undefined);

/** Returns the page of `/activity` with this query, whose chart waits for the counts. */
async function listHtml(
  search: string,
  countDeletions: () => Promise<never>,
  refusals: readonly RefusalCount[] = [],
): Promise<string> {
  const services = partOf<Services>({
    accounts: { listCredentials: () => Promise.resolve([]), listRefusals: () => Promise.resolve(refusals) },
    deleter: { listDeletions: () => Promise.resolve({ deletions: [], nextPageToken: undefined }) },
  });
  const [route] = listRoutes({ ...services, dayCounter: createDayCounter({ countDeletions }) });
  const query = new URLSearchParams(search);
  const visit = { accountId: 'acme', language: 'en', url: `/activity?${search}`, nowMs: 0, query };
  const reply = await route?.serve(visit as MemberVisit);
  if (reply?.kind !== 'page') throw new Error('the reply is no page');
  return render(h(Fragment, null, reply.body));
}

test.each([
  ['is still being counted', never],
  ['can’t be counted', () => Promise.reject(new Fault('unavailable', 'too many counts'))],
])('the list appears while its chart %s', async (_, countDeletions) => {
  const html = await listHtml('state=completed&from=1970-01-01', countDeletions);
  expect(html).toContain('data-events="/a/acme/activity/days/events?state=completed&amp;from=1970-01-01"');
  expect(html).toContain('<a href="/activity?state=completed&amp;from=1970-01-01">Load the page again</a>');
  expect(html).toMatch(/<p [^>]*data-unfinished/);
});

test.each([
  ['state=', true],
  ['state=completed', true],
  ['state=waiting', false],
  ['state=completed&to=1969-12-31', false],
])('whether the query %j has a chart, with its heading and its table, is %j', async (search, isCharted) => {
  const html = await listHtml(`from=1970-01-01&${search}`, never);
  for (const part of ['chart-heading', 'legend', 'Show as a table', 'class="scroll plot"', 'data-unfinished'])
    expect(html.includes(part)).toBe(isCharted);
});

test.each([
  ['from=1970-01-01', 1, true],
  ['from=1970-01-01', 0, false],
  ['from=1970-01-01&state=completed', 1, false],
  ['from=1970-01-02', 1, false],
])('whether a late chart of %j has the place of %d refused requests is %j', async (search, count, isKept) => {
  const refusal = { accountId: 'acme', day: '1970-01-01', code: 'token_invalid', count, sandboxCount: 2 };
  expect((await listHtml(search, never, [refusal])).includes('with-refused')).toBe(isKept);
});

test('days in the wrong order have an error, and neither a chart nor a list', async () => {
  const html = await listHtml('state=completed&from=1970-01-02&to=1970-01-01', never);
  expect(html).toContain('aria-invalid');
  expect(html).not.toMatch(/chart-heading|list-heading/);
});

const deletion = (id: string) => ({ id }) as Deletion;

/** Answers with these pages, one for each call. */
function deleterWith(...pages: (DeletionsPage | undefined)[]) {
  const queries: DeletionsQuery[] = [];
  const listDeletions = (query: DeletionsQuery) => Promise.resolve(pages[queries.push(query) - 1]);
  return { queries, listDeletions };
}

const query: DeletionsQuery = { accountId: 'acme', pageSize: 3, state: 'accepted' };

test('an incomplete page is filled with what follows', async () => {
  const deleter = deleterWith(
    { deletions: [deletion('a')], nextPageToken: '1' },
    { deletions: [], nextPageToken: '2' },
    { deletions: [deletion('b'), deletion('c')], nextPageToken: '3' },
  );
  const page = await findDeletions(deleter, query);
  expect(page).toEqual({ deletions: ['a', 'b', 'c'].map(deletion), nextPageToken: '3' });
  expect(deleter.queries).toEqual([
    { ...query, pageToken: undefined },
    { ...query, pageToken: '1', pageSize: 2 },
    { ...query, pageToken: '2', pageSize: 2 },
  ]);
});

test('the calls end at the last page', async () => {
  const deleter = deleterWith({ deletions: [deletion('a')], nextPageToken: undefined });
  expect(await findDeletions(deleter, query)).toMatchObject({ nextPageToken: undefined });
  expect(deleter.queries).toHaveLength(1);
});

test('one page makes a bounded number of calls, and the next page continues there', async () => {
  const empty = (next: string) => ({ deletions: [], nextPageToken: next });
  const deleter = deleterWith(...['1', '2', '3', '4'].map(empty));
  expect(await findDeletions(deleter, query)).toEqual(empty('3'));
});

test('an invalid page token has no page', async () => {
  expect(await findDeletions(deleterWith(undefined), { ...query, pageToken: 'x' })).toBeUndefined();
});
