import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { accept, origin } from '@jobs-delete/deleter-service/testing/deletions';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import { until } from '../harness/until.ts';
import { useScene } from './scene.ts';

const scene = useScene({ DASHBOARD_DELETES: 'on' });
const english = { 'Accept-Language': 'en' };
let viewer: SignedInBrowser;
let manager: SignedInBrowser;

beforeAll(async () => {
  const { operator } = scene.service;
  await operator.createAccount('jobs');
  await operator.importJobs('jobs', ['Here0001', 'Here0002']);
  viewer = await scene.dashboard.signIn('jobs', 'viewer');
  manager = await scene.dashboard.signIn('jobs', 'manager');
});

const find = async (id: string, browser = viewer) => {
  const { status, text } = await browser.get(`/jobs?job=${encodeURIComponent(id)}`, english);
  const [, badge = ''] = /<span class="badge \w+">([^<]+)<\/span>/.exec(text) ?? [];
  const named = [
    ...text.matchAll(/<th scope="row" role="rowheader"><a href="\/a\/jobs\/activity\/([^"]+)">/g),
  ].map(([, each]) => each);
  return { status, text, badge, named };
};

test('the page has the number of jobs of the account, and an account without jobs says so', async () => {
  const jobs = await scene.service.operator.store.countJobs('jobs');
  const newcomer = await scene.dashboard.signIn('jobless', 'viewer');
  // A count may take longer than the page waits.
  const shows = (browser: SignedInBrowser, part: string) =>
    until(async () => (await browser.get('/jobs', english)).text.includes(part));
  await shows(viewer, `<h2 id="list-heading">${String(jobs)} jobs</h2>`);
  await shows(newcomer, 'The account has no jobs.');
});

test('lists the ids of the jobs in pages of 50, each with a link to what became of it', async () => {
  const ids = Array.from({ length: 70 }, (_, index) => `Listed${String(100 + index)}`);
  await scene.service.operator.createAccount('listed');
  await scene.service.operator.importJobs('listed', ids);
  const browser = await scene.dashboard.signIn('listed', 'viewer');
  const idsOf = (text: string) => [...text.matchAll(/\/jobs\?job=(\w+)["&]/g)].map(([, id]) => id);
  const first = (await browser.get('/jobs', english)).text;
  expect(idsOf(first)).toEqual(ids.slice(0, 50));
  expect(first).toContain('>1 to 50<');
  const next = /\/a\/listed(\/jobs\?pages=[^"]+)">Next/.exec(first)?.[1]?.replace('&amp;', '&') ?? '';
  const second = (await browser.get(next, english)).text;
  expect(idsOf(second)).toEqual(ids.slice(50));
  expect(second).toContain('>51 to 70<');
  expect(second).not.toContain('Next jobs');
  const previous = /\/a\/listed(\/jobs[^"]*)">Previous/.exec(second)?.[1] ?? '';
  expect(idsOf((await browser.get(previous, english)).text)).toEqual(ids.slice(0, 50));
});

test('finds jobs by words of their titles, and by parts of their ids, page by page', async () => {
  const { store } = scene.service.operator;
  await scene.service.operator.createAccount('searched');
  const postings = Array.from({ length: 70 }, (_, index) => ({
    id: `Searched${String(100 + index)}`,
    posting: { title: index % 10 === 0 ? 'Infirmière de nuit, Lyon' : 'Baker' },
  }));
  await store.importJobs('searched', postings, 1);
  await store.importJobs('elsewhere', [{ id: 'Theirs02', posting: { title: 'Infirmière' } }], 1);
  const browser = await scene.dashboard.signIn('searched', 'viewer');
  const idsOf = (text: string) => [...text.matchAll(/\/jobs\?job=(\w+)["&]/g)].map(([, id]) => id);
  const nurses = [100, 110, 120, 130, 140, 150, 160].map((each) => `Searched${String(each)}`);
  expect(idsOf((await browser.get('/jobs?find=NUIT+infirmiere', english)).text)).toEqual(nurses);
  expect(idsOf((await browser.get('/jobs?find=ched1+er&pages=1:+1:Searched159', english)).text)).toHaveLength(
    10,
  );
  expect(await browser.get('/jobs?find=Searched101')).toMatchObject({
    status: 303,
    location: '/jobs?job=Searched101',
  });
  expect((await browser.get('/jobs?find=Theirs02')).location).toBe('/jobs?job=Theirs02');
  const deletionId = '0192f0c4-7b1e-7c3a-9d2f-3b5e8a6c1d40';
  expect((await browser.get(`/jobs?find=${deletionId}`)).location).toBe(`/activity?id=${deletionId}`);
});

test('the way back from a job leads to the page of the search that it came from, in this account only', async () => {
  await scene.service.operator.createAccount('returned');
  const ids = Array.from({ length: 60 }, (_, index) => `Returned${String(100 + index)}`);
  await scene.service.operator.importJobs('returned', ids);
  const browser = await scene.dashboard.signIn('returned', 'viewer');
  const second = '/jobs?find=turned1+ret&pages=1%3A+51%3AReturned149';
  const backOf = async (path: string) => {
    const { text } = await browser.get(path, english);
    return /<p class="back"><a href="\/a\/returned([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  };
  const list = (await browser.get(second, english)).text;
  const job = /<a href="\/a\/returned(\/jobs\?job=Returned155[^"]*)"/
    .exec(list)?.[1]
    ?.replaceAll('&amp;', '&');
  expect(await backOf(job ?? '')).toBe(second);
  expect(await backOf('/jobs?job=Returned155')).toBe('/jobs');
  expect(await backOf(second)).toBeUndefined();
  expect(await backOf('/jobs?job=Returned155&find=//evil.example')).toBe('/jobs?find=%2F%2Fevil.example');
});

test('a job has its title in the list, on its own page, and on that of a deletion that waits or is cancelled', async () => {
  const { store } = scene.service.operator;
  await scene.service.operator.createAccount('titled');
  const posting = { title: 'Boulanger <b>de nuit</b>' };
  await store.importJobs('titled', [{ id: 'Titled01', posting }], 1);
  const browser = await scene.dashboard.signIn('titled', 'viewer');
  const expectTitle = async (
    page: string,
    pattern = /<code>Titled01<\/code> <bdi .*>Boulanger &lt;b>de nuit&lt;\/b><\/bdi>/,
  ) => expect((await browser.get(page)).text).toMatch(pattern);
  await expectTitle('/jobs', /<a href="[^"]*job=Titled01"><bdi>Boulanger &lt;b>de nuit&lt;\/b><\/bdi><\/a>/);
  await expectTitle('/jobs?job=Titled01', /<h1>Boulanger &lt;b>de nuit&lt;\/b><\/h1>.*<code>Titled01</);
  const dueAtMs = Date.now() + 86_400_000;
  const waiting = { deletionId: randomUUID(), accountId: 'titled', dueAtMs, removalAtMs: dueAtMs };
  const { id } = await accept(store, ['Titled01'], waiting);
  await expectTitle(`/activity/${id}`);
  const manager = await scene.dashboard.signIn('titled', 'manager');
  expect(await manager.post(`/activity/${id}/cancel`)).toMatchObject({ status: 303 });
  await expectTitle(`/activity/${id}`);
});

test('a manager selects jobs of a list, and the preview has these', async () => {
  const boxes = async (browser: SignedInBrowser, list: string) =>
    (await browser.get(list)).text.match(/<input type="checkbox" name="ids"/g)?.length;
  const manager = await scene.dashboard.signIn('selected', 'manager');
  const ids = ['Here0001', 'Here0002', 'Here0003'];
  await scene.service.operator.importJobs('selected', ids);
  for (const list of ['/jobs', '/jobs?find=here']) {
    expect(await boxes(await scene.dashboard.signIn('selected', 'viewer'), list)).toBeUndefined();
    expect(await boxes(manager, list)).toBe(3);
  }
  const page = await manager.post('/jobs/delete', { ids: ['Here0003', 'Here0001'] });
  expect(fieldOf(page, 'ids')).toBe('Here0003 Here0001');
  expect((await manager.post('/jobs/delete', {})).status).toBe(422);
});

describe('a search', () => {
  test('finds a job of the account', async () => {
    expect(await find(' Here0001 ')).toMatchObject({ status: 200, badge: 'Exists', named: [] });
  });

  test('shows no way back to itself, and the page of a job leads back to the jobs', async () => {
    const back = '<p class="back"><a href="/a/jobs/jobs">Jobs</a></p>';
    const hasBack = async (path: string) => (await viewer.get(path, english)).text.includes(back);
    for (const id of ['Here0001', 'Unknown1']) expect(await hasBack(`/jobs?job=${id}`)).toBe(true);
    for (const path of ['/jobs', '/jobs?job=+', '/jobs?job=a-b', '/jobs?find=here', '/activity?job=Here0001'])
      expect(await hasBack(path)).toBe(false);
  });

  test('says that ids are case-sensitive', async () => {
    const { badge, text } = await find('here0001');
    expect(badge).toBe('Not found');
    expect(text).toMatch(/<h1>Job here0001<.*<p>[^<]*no job with exactly this id.*Ids are case-sensitive\./);
  });

  test('finds the deletion that will remove a job, and only a manager sees the way to cancel it', async () => {
    const { id, jobIds } = await scene.accept('jobs', { delayMs: 86_400_000 });
    const [jobId = ''] = jobIds;
    const found = await find(jobId);
    expect(found).toMatchObject({ badge: 'Waits for its deletion', named: [id] });
    expect(found.text).toContain(`<a class="button" href="/a/jobs/activity/${id}">`);
    expect(found.text).not.toContain('/cancel');
    expect((await find(jobId, manager)).text).toContain(`href="/a/jobs/activity/${id}/cancel"`);

    const key = { deletionId: id, accountId: 'jobs' };
    await scene.service.operator.store.cancelDeletion(key, Date.now(), origin);
    expect(await find(jobId)).toMatchObject({ badge: 'Exists', named: [id] });
  });

  test('finds the deletion that has removed a job, with its token, and a job that is posted again', async () => {
    const { operator } = scene.service;
    const deletion = await scene.accept('jobs', { origin: { tokenId: 'token-of-the-shop' } });
    const [jobId = ''] = deletion.jobIds;
    expect(await find(jobId)).toMatchObject({ badge: 'Being deleted', named: [deletion.id] });
    await scene.complete(deletion, Date.UTC(2026, 9, 3, 14, 5));
    const found = await find(jobId);
    expect(found).toMatchObject({ badge: 'Deleted', named: [deletion.id] });
    expect(found.text).toContain('The title of a job is removed with it.');
    expect(found.text).toContain('<dt>Token</dt><dd><a href="/a/jobs/keys/token/token-of-the-shop">');
    expect(found.text).toContain('datetime="2026-10-03T14:05:00');
    await operator.importJobs('jobs', [jobId]);
    expect(await find(jobId)).toMatchObject({ badge: 'Exists', named: [deletion.id] });
  });

  test('does not find a job of another account, or an id in another case', async () => {
    await scene.service.operator.importJobs('elsewhere', ['Theirs01']);
    for (const id of ['Theirs01', 'here0001', 'Unknown1'])
      expect(await find(id)).toMatchObject({ status: 200, badge: 'Not found', named: [] });
  });

  test('takes what is no job id as words', async () => {
    for (const id of [
      'abc',
      'a-b-c-d',
      'Night nurse',
      '<script>',
      'x'.repeat(129),
      '%_.*',
      'x'.repeat(999),
    ]) {
      const { status, text } = await find(id);
      expect([status, text.includes('<script>')]).toEqual([200, false]);
      expect(text).toContain('No job has these words in its title or id.');
    }
  });
});

test('an address with an invalid page leads to the first one', async () => {
  expect(await viewer.get('/jobs?job=Here0001&page=x')).toMatchObject({
    status: 303,
    location: '/jobs?job=Here0001',
  });
});
