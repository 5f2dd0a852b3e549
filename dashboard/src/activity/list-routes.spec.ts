import { expect, test } from '@jest/globals';
import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeletionCounts, DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { deletionIn } from '../design/samples.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { htmlOf } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import { listRoutes } from './list-routes.tsx';
import { createDayCounter } from './chart-days.ts';

const some = deletionIn('waiting', 'acme');
const never = () => new Promise<never>(() => undefined);

interface ListParts {
  readonly countDeletions?: () => Promise<DeletionCounts>;
  readonly refusals?: readonly RefusalCount[];
  readonly nowMs?: number;
  readonly deletions?: readonly Deletion[];
  /** Is called with the first day of each read of refusals. */
  readonly onRead?: (fromDay: string) => void;
  /** Is called with each query for deletions. */
  readonly onList?: (query: DeletionsQuery) => void;
  /** The list comes after it. */
  readonly listed?: Promise<unknown>;
}

/** Returns the page of `/activity` with this query, whose chart waits for the counts. */
async function listHtml(
  search: string,
  {
    countDeletions = never,
    refusals = [],
    nowMs = 0,
    deletions = [some],
    onRead,
    onList,
    listed = Promise.resolve(),
  }: ListParts = {},
): Promise<string> {
  const listRefusals = (_: string, fromDay: string) => {
    onRead?.(fromDay);
    return Promise.resolve(refusals.filter(({ day }) => day >= fromDay));
  };
  const services = partOf<Services>({
    accounts: { listCredentials: () => Promise.resolve([]), listRefusals },
    deleter: {
      listDeletions: (asked: DeletionsQuery) => {
        onList?.(asked);
        return listed.then(() => ({ deletions, nextPageToken: undefined }));
      },
    },
  });
  const [route] = listRoutes({ ...services, dayCounter: createDayCounter({ countDeletions }) });
  const query = new URLSearchParams(search);
  const visit = { accountId: 'acme', language: 'en', url: `/activity?${search}`, nowMs, query };
  const reply = await route?.serve(visit as MemberVisit);
  return htmlOf(reply);
}

test.each([
  ['is still being counted', never],
  ['can’t be counted', () => Promise.reject(new Fault('unavailable', 'too many counts'))],
])('the list appears while its chart %s', async (_, countDeletions) => {
  const html = await listHtml('state=completed&from=1970-01-01', { countDeletions });
  expect(html).toContain('data-events="/a/acme/activity/days/events?state=completed&amp;from=1970-01-01"');
  expect(html).toContain('<a href="/activity?state=completed&amp;from=1970-01-01">Load the page again</a>');
  expect(html).toMatch(/<p [^>]*data-unfinished/);
});

test('a chart that fails before the list is there fails the page, not the process', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  const page = listHtml('state=completed', {
    nowMs: Date.UTC(2026, 2, 25),
    countDeletions: () => Promise.reject(new Error('broken')),
    listed: new Promise(setImmediate),
  });
  await expect(page).rejects.toThrow('broken');
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

test('the page of all deletions says how many wait, and leads to them', async () => {
  const states = [{ state: 'waiting' as const, deletions: 3, jobs: 303 }];
  const nowMs = Date.UTC(2026, 2, 25);
  const day = { dayMs: nowMs, deletions: 3, jobsAccepted: 303, jobsRemoved: 0, states };
  const countDeletions = () => Promise.resolve({ days: [day], retentionMs: undefined });
  const says = async (search: string) => {
    const [, text] =
      /([^<>]*) can still be cancelled\./.exec(await listHtml(search, { countDeletions, nowMs })) ?? [];
    return text?.trim();
  };
  expect(await says('')).toBe('3 deletions with 303 jobs');
  expect(await listHtml('', { countDeletions, nowMs })).toContain(
    '<a href="/a/acme/activity?state=waiting">',
  );
  for (const search of ['state=waiting', 'state=completed', 'token=shop'])
    expect(await says(search)).toBeUndefined();
  const late = await listHtml('', { nowMs });
  expect(late).not.toContain('can still be cancelled');
  expect(late).toContain('Waiting</span> Not counted at the moment. Reload the page.');
});

test('a late chart comes with the chosen order of its table', async () => {
  const html = await listHtml('state=completed&sort=-jobs');
  expect(html).toContain('/activity/days/events?state=completed&amp;from=1970-01-01&amp;sort=-jobs"');
  expect(html).toContain('<span class="muted">1 Jan 1970</span>');
});

test.each([
  ['state=', 'a chart, with its heading and its table', true],
  ['state=completed', 'a chart, with its heading and its table', true],
  ['state=waiting', 'a chart, with its heading and its table', true],
  ['state=completed&to=1969-12-31', 'no part of a chart', false],
])('the query %j has %s', async (search, _, isCharted) => {
  const html = await listHtml(`from=1970-01-01&${search}`);
  for (const part of ['chart-heading', 'legend', 'Show as a table', 'class="counting', 'data-unfinished'])
    expect(html.includes(part)).toBe(isCharted);
});

test('days without a deletion and a refused request have no chart', async () => {
  const empty = { deletions: [], nowMs: now };
  const html = await listHtml('from=2026-03-31', empty);
  expect(html).toContain('No deletion in this period.');
  expect(html).not.toContain('chart-heading');
  expect(await listHtml('from=2026-03-31', { ...empty, refusals: [refusedOn('2026-03-31')] })).toContain(
    'chart-heading',
  );
});

const now = Date.parse('2026-03-31T12:00:00Z');
const refusedOn = (day: string, count = 1): RefusalCount => ({
  accountId: 'acme',
  day,
  code: 'token_invalid',
  count,
  sandboxCount: 2,
});

test.each([
  ['has a place for', 'refused requests', 'to=2026-03-31', refusedOn('2026-03-31')],
  ['has no place for', 'requests to the sandbox only', 'to=2026-03-31', refusedOn('2026-03-31', 0)],
  ['has no place for', 'refused requests of any state', 'state=completed', refusedOn('2026-03-31')],
  ['has no place for', 'refused requests of earlier days', 'from=2026-03-31', refusedOn('2026-03-30')],
  ['has a place for', 'those before the days of the table', 'from=2026-01-01', refusedOn('2026-02-20')],
  ['has no place for', 'those that no chart shows any more', 'from=2026-01-01', refusedOn('2026-02-19')],
])('a late chart %s %s', async (places, _, search, refusal) => {
  const html = await listHtml(search, { refusals: [refusal], nowMs: now });
  expect(html.includes('with-refused')).toBe(places === 'has a place for');
});

test('one read has the refused requests of the chart and of the table, which have the days of the filter', async () => {
  const days: string[] = [];
  const onRead = (day: string) => void days.push(day);
  const refusals = ['2026-02-19', '2026-02-20', '2026-03-02', '2026-03-31'].map((day) => refusedOn(day));
  const tableOf = async (search: string) => {
    const html = await listHtml(search, { refusals, nowMs: now, onRead });
    const [, heading] = /<h2 id="refusals-heading">([^<]*)</.exec(html) ?? [];
    return [heading, /<td class="number" role="cell" data-label="Requests">(\d+)</.exec(html)?.[1]];
  };
  expect(await tableOf('pages=1:x')).toEqual(['Refused requests of the last 30 days', '2']);
  expect(await tableOf('from=2026-03-25')).toEqual(['Refused requests of the last 7 days', '1']);
  // Those of earlier days are no longer complete.
  expect(await tableOf('from=2026-01-01')).toEqual(['Refused requests of the last 40 days', '3']);
  expect(await tableOf('from=2026-03-01&to=2026-03-30')).toEqual([
    'Refused requests from 1 Mar 2026 to 30 Mar 2026',
    '1',
  ]);
  expect(await tableOf('from=2026-03-31')).toEqual(['Refused requests on 31 Mar 2026', '1']);
  expect(days).toEqual(['2026-03-02', '2026-03-25', '2026-01-01', '2026-03-01', '2026-03-31']);
  // They have no state and often no known token. Those of older days are unknown.
  for (const search of ['state=completed', 'token=t1', 'to=2026-02-01', 'from=yesterday'])
    expect(await tableOf(search)).toEqual([undefined, undefined]);
});

test('days in the wrong order have an error, and neither a chart nor a list', async () => {
  const html = await listHtml('state=completed&from=1970-01-02&to=1970-01-01');
  expect(html).toContain('aria-invalid');
  expect(html).not.toMatch(/chart-heading|list-heading/);
});

test.each([
  ['pages=1:x', Date.parse('2026-03-02'), '2 – 31 Mar 2026'],
  ['from=2026-03-25', Date.parse('2026-03-25'), '25 – 31 Mar 2026'],
  ['state=waiting', 0, 'Waiting'],
  ['to=2026-01-30', 0, 'until 30 Jan 2026'],
])('the list of %j begins at %d, as its heading and its export say', async (search, fromMs, choice) => {
  const froms: (number | undefined)[] = [];
  const onList = ({ acceptedFromMs }: DeletionsQuery) => void froms.push(acceptedFromMs);
  const html = await listHtml(search, { nowMs: now, onList });
  expect(froms).toEqual([fromMs]);
  expect(
    /list-heading">Deletions<\/h2><(?:span class="muted"|p class="choices"><a [^>]*)>([^<]*)/
      .exec(html)?.[1]
      ?.replaceAll(/\s/g, ' '),
  ).toBe(choice);
  expect(html).toMatch(new RegExp(`export\\.csv\\?[^"]*from=${new Date(fromMs).toISOString().slice(0, 10)}`));
});

test('the search reads as many characters as its field has', async () => {
  const html = await listHtml(`id=01a2b3c4${'+'.repeat(92)}x`, { deletions: [] });
  expect(html).toContain('no deletion with an id like this');
});

test('a page without a choice and without recent deletions says that nothing was deleted only if there are no older ones', async () => {
  const froms: (number | undefined)[] = [];
  const onList = ({ acceptedFromMs }: DeletionsQuery) => void froms.push(acceptedFromMs);
  const html = await listHtml('', { nowMs: now, deletions: [], onList });
  expect(html).toContain('Nothing has been deleted yet.');
  expect(froms).toEqual([Date.parse('2026-03-02'), undefined]);
});
