import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  startTestDashboard,
  type SignedInBrowser,
} from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import { useScene } from './scene.ts';

const scene = useScene();

const english = { 'Accept-Language': 'en' };
const dayMs = 86_400_000;

/** Returns a viewer of a new account. */
async function viewerOf(accountId: string): Promise<SignedInBrowser> {
  await scene.service.operator.createAccount(accountId);
  return scene.dashboard.signIn(accountId, 'viewer');
}

/** Returns the deletions of a page's table, in their order. */
function listed(text: string): string[] {
  return [...text.matchAll(/<th scope="row" role="rowheader"><a href="[^"]*\/activity\/([^"]+)"/g)].map(
    ([, id = '']) => id,
  );
}

const idsOf = (deletions: readonly Deletion[]) => deletions.map(({ id }) => id);

describe('the list', () => {
  const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
  let viewer: SignedInBrowser;
  let [first, second, third, fourth]: Deletion[] = [];
  beforeAll(async () => {
    viewer = await viewerOf('lists');
    const byShop = { origin: { tokenId: 'shoptoken' } };
    first = await scene.accept('lists', { acceptedAtMs: noon('2026-10-01') });
    second = await scene.accept('lists', { acceptedAtMs: noon('2026-10-02'), ...byShop });
    third = await scene.accept('lists', { acceptedAtMs: Date.parse('2026-10-02T23:59:59.999Z') });
    fourth = await scene.accept('lists', { acceptedAtMs: noon('2026-10-03'), ...byShop });
    await scene.complete(first);
    await scene.accept('other-lists');
  });
  const show = async (query = '?from=1970-01-01') => {
    const { status, text } = await viewer.get(`/activity${query}`, english);
    return { status, ids: listed(text), text };
  };
  const newestFirst = (...deletions: (Deletion | undefined)[]) =>
    idsOf(deletions.filter((deletion) => deletion !== undefined));

  test('shows the deletions of the account, newest first', async () => {
    const shown = await show();
    expect(shown).toMatchObject({ status: 200, ids: newestFirst(fourth, third, second, first) });
    expect(shown.text).toContain('>3 Oct 2026, 12:00 UTC</time>');
  });

  test('filters by state, token and day, alone and together', async () => {
    expect((await show('?state=completed')).ids).toEqual(newestFirst(first));
    expect((await show('?state=accepted')).ids).toEqual(newestFirst(fourth, third, second));
    expect((await show('?token=shoptoken')).ids).toEqual(newestFirst(fourth, second));
    expect((await show('?from=2026-10-02')).ids).toEqual(newestFirst(fourth, third, second));
    expect((await show('?to=2026-10-02')).ids).toEqual(newestFirst(third, second, first));
    const both = '?state=accepted&from=2026-10-02&to=2026-10-02&token=shoptoken';
    expect((await show(both)).ids).toEqual(newestFirst(second));
    expect((await show('?token=none')).text).toContain('No deletion fits the filter.');
  });

  test('keeps the choices of the form', async () => {
    const { text } = await show('?state=accepted&from=2026-10-02');
    expect(text).toContain('<option value="accepted" selected>');
    expect(text).toContain('value="2026-10-02"');
  });

  test.each(['?from=yesterday', '?to=2026-02-30', '?from=2026-10-03&to=2026-10-02'])(
    'refuses the days %s at their field',
    async (query) => {
      const { status, ids, text } = await show(query);
      expect([status, ids]).toEqual([422, []]);
      expect(text).toContain('class="problem"');
    },
  );

  test('an outdated address of a page leads to the first page', async () => {
    expect(await viewer.get('/activity?state=completed&pages=1:none')).toMatchObject({
      status: 303,
      location: '/activity?state=completed',
    });
  });

  test.each([
    ['a Deletion-Id', (id: string) => id],
    ['a Deletion-Id in upper case', (id: string) => id.toUpperCase()],
  ])('%s leads to its page', async (_, write) => {
    const id = first?.id ?? '';
    expect(await viewer.get(`/activity?id=+${write(id)}+`)).toMatchObject({
      status: 303,
      location: `/activity/${id}`,
    });
  });

  test('an unknown, a foreign and a malformed Deletion-Id are unknown alike', async () => {
    const foreign = await scene.accept('foreign-lists');
    for (const id of [randomUUID(), foreign.id, '../keys', '%00', 'x'.repeat(5_000)]) {
      const { status, text } = await viewer.get(`/activity?id=${encodeURIComponent(id)}`, english);
      expect(status).toBe(422);
      expect(text).toContain('Your account has no deletion with this id.');
    }
  });
});

test('the short Deletion-Id of a list and a beginning of 8 digits lead to the page of the deletion', async () => {
  const viewer = await viewerOf('short');
  const { id } = await scene.accept('short');
  const start = id.slice(0, 8);
  for (const part of [`${start}…${id.slice(-4)}`, `${start}...${id.slice(-4)}`, start, id.slice(0, 35)])
    expect(await viewer.get(`/activity?id=${encodeURIComponent(part)}`)).toMatchObject({
      status: 303,
      location: `/activity/${id}`,
    });
});

test('a beginning that several ids have lists them, and one that none has says so', async () => {
  const viewer = await viewerOf('shared-start');
  const acceptedAtMs = Date.UTC(2026, 0, 15, 9);
  const first = await scene.accept('shared-start', { acceptedAtMs });
  const second = await scene.accept('shared-start', { acceptedAtMs: acceptedAtMs + 1 });
  await scene.accept('foreign-start', { acceptedAtMs });
  const start = first.id.slice(0, 8);
  const { status, text } = await viewer.get(`/activity?id=${start}`, english);
  expect([status, listed(text)]).toEqual([200, [second.id, first.id]]);
  expect(text).toContain(`Deletions with an id like “${start}”`);
  const problems = [
    ['00000000', 'no deletion with an id like this'],
    [`${start}…zzzz`, 'no deletion with this id'],
    [start.slice(0, 7), 'Enter at least the first 8 characters.'],
  ] as const;
  for (const [part, problem] of problems) {
    const answer = await viewer.get(`/activity?id=${encodeURIComponent(part)}`, english);
    expect([answer.status, answer.text.includes(problem)]).toEqual([422, true]);
  }
});

test('the pages of a long list have every deletion once', async () => {
  const viewer = await viewerOf('long');
  const deletions: Deletion[] = [];
  for (let count = 0; count < 120; count++)
    deletions.push(await scene.accept('long', { acceptedAtMs: count + 1 }));

  const seen: string[][] = [];
  let last: string | undefined;
  for (let path: string | undefined = '/activity?state=accepted'; path !== undefined;) {
    last = path;
    const { text } = await viewer.get(path, english);
    seen.push(listed(text));
    path = /<a href="([^"]+)">Older deletions/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen.map(({ length }) => length)).toEqual([25, 25, 25, 25, 20]);
  expect(seen.flat()).toEqual(idsOf(deletions).reverse());

  const back: string[][] = [];
  for (let path = last; path !== undefined;) {
    const { text } = await viewer.get(path, english);
    back.push(listed(text));
    path = /<a href="([^"]+)">Newer deletions/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(back).toEqual(seen.toReversed());
});

test('the chart stands first, and shows the jobs deleted per day as bars, as text and as a table', async () => {
  const viewer = await viewerOf('chart');
  const yesterday = Date.now() - dayMs;
  for (const jobs of [3, 4])
    await scene.complete(await scene.accept('chart', { jobs, acceptedAtMs: yesterday }));
  await scene.accept('chart', { jobs: 5 });

  const parts = [...(await viewer.get('/activity', english)).text.matchAll(/<h2[^>]*>([^<]+)</g)];
  expect(parts.map(([, heading]) => heading)).toEqual([
    'Jobs deleted per day',
    'Deletions',
    expect.stringContaining('Refused requests'),
  ]);
  // The page has the chart too, unless the machine is busy.
  const { text } = await viewer.get('/activity/days/events', english);
  const day = new Date(yesterday).toISOString().slice(0, 10);
  const shown = new Date(yesterday).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  expect(text).toContain(`Most on one day: 7, on ${shown}.`);
  expect(text).toContain(`&amp;to=${day}#list-heading">${shown}</a></th><td>2</td><td>7</td>`);
  expect(text.match(/tabindex="-1"><span/g)).toHaveLength(30);
  expect(text).not.toContain('data-unfinished');
  const sorted = await viewer.get('/activity/days/events?sort=jobs', english);
  expect(sorted.text).toMatch(/<th [^>]*aria-sort="ascending"><a [^>]*>Jobs deleted/);
  // The policy of the page forbids them.
  expect(text).not.toContain('style=');
});

test('the chart has the days, the state and the token of the filter, and refused requests if it is of all', async () => {
  const viewer = await viewerOf('filtered-chart');
  const daysAgo = (count: number) => Date.now() - count * dayMs;
  const { operator } = scene.service;
  const day = new Date().toISOString().slice(0, 10);
  await operator.accounts.addRefusals([
    { accountId: 'filtered-chart', day, code: 'token_invalid', count: 3 },
  ]);
  const [token] = await operator.accounts.listCredentials('token', 'filtered-chart');
  const tokenId = token?.id ?? '';
  const byShop = { origin: { tokenId } };
  await scene.complete(
    await scene.accept('filtered-chart', { jobs: 2, acceptedAtMs: daysAgo(80), ...byShop }),
  );
  await scene.complete(await scene.accept('filtered-chart', { jobs: 3, acceptedAtMs: daysAgo(1) }));
  await scene.accept('filtered-chart', { jobs: 4, delayMs: dayMs, ...byShop });
  const summaryOf = async (query: string) => {
    const { text } = await viewer.get(`/activity/days/events${query}`, english);
    const bars = [...text.matchAll(/tabindex="-1"><span/g)].length;
    const rows = [...text.matchAll(/<th scope="row">/g)].length;
    expect(bars).toBe(rows);
    return [rows, /<p id="chart-summary">(\d+)/.exec(text)?.[1], text.includes('3 requests refused')];
  };
  expect(await summaryOf('')).toEqual([30, '3', true]);
  const dayAgo = (count: number) => new Date(daysAgo(count)).toISOString().slice(0, 10);
  const from = `from=${dayAgo(89)}`;
  expect(await summaryOf(`?${from}`)).toEqual([90, '5', true]);
  expect(await summaryOf(`?${from}&to=${dayAgo(1)}`)).toEqual([89, '5', false]);
  expect(await summaryOf(`?to=${dayAgo(70)}`)).toEqual([30, '2', false]);
  expect(await summaryOf(`?from=${dayAgo(6)}&state=waiting`)).toEqual([7, '4', false]);
  expect(await summaryOf(`?${from}&token=unknown`)).toEqual([90, '0', false]);
  expect(await summaryOf(`?${from}&token=${tokenId}`)).toEqual([90, '2', false]);
  expect(await summaryOf(`?${from}&token=${tokenId}&state=waiting`)).toEqual([90, '4', false]);

  const all = await viewer.get('/activity', english);
  expect(all.text).not.toContain('Clear filters');
  expect(all.text).toMatch(/<th scope="col" class="plain" role="columnheader">By</);
  const { text } = await viewer.get('/activity?state=waiting&from=2026-01-01', english);
  expect(text).toContain('<h2 id="chart-heading">Jobs per day: Waiting</h2>');
  expect(text).not.toContain('The chart shows only');
  const ofToken = await viewer.get(`/activity?state=waiting&from=2026-01-01&token=${tokenId}`, english);
  expect(ofToken.text).toMatch(/The chart shows only deletions with the token “[^”]+”\./);
  expect(text).toMatch(/<a href="\/a\/filtered-chart\/activity">Clear filters</);
});

test('the refused requests of 30 days are counted by code, with a link to the requests', async () => {
  const viewer = await viewerOf('refusals');
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  const { format } = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const shown = (ago: number) => format(Date.now() - ago * dayMs);
  const count = (code: string, ago: number, times: number) => ({
    accountId: 'refusals',
    code,
    day: day(ago),
    count: times,
  });
  await scene.service.operator.accounts.addRefusals([
    count('job_not_found', 0, 2),
    count('job_not_found', 29, 1_000),
    count('job_not_found', 31, 7),
    { ...count('token_invalid', 3, 5), sandboxCount: 9 },
  ]);
  const { text } = await viewer.get('/activity', english);
  const rows = [
    ...text.matchAll(
      /<a href="([^"]+)"><code>(\w+)<\/code><\/a><\/th><td class="number"[^>]*>([\d,]+)<\/td><td class="number"[^>]*>([\d,]+)<\/td><td[^>]*>([^<]+)</g,
    ),
  ];
  expect(rows.map(([, ...row]) => row)).toEqual([
    ['/a/refusals/activity/refused?code=job_not_found', 'job_not_found', '1,002', '0', shown(0)],
    ['/a/refusals/activity/refused?code=token_invalid', 'token_invalid', '5', '9', shown(3)],
  ]);
});

test('without the deleter, the pages of the activity are not available and the others are', async () => {
  const alone = await startTestDashboard({ DELETER_ADDRESS: '127.0.0.1:1', LOG_LEVEL: 'fatal' });
  try {
    const viewer = await alone.signIn('acme', 'viewer');
    const id = randomUUID();
    const paths = ['', '/export.csv', `/${id}`, `/${id}/ids.txt`];
    for (const path of paths) {
      const { status, text } = await viewer.get(`/activity${path}`, english);
      expect(status).toBe(503);
      expect(text).toContain('Not available at the moment');
    }
    // A browser connects again only after a stream.
    expect(await viewer.get(`/activity/${id}/events`)).toMatchObject({ status: 200, text: '' });
    expect(await viewer.get('/keys')).toMatchObject({ status: 200 });
  } finally {
    await alone.stop();
  }
});
