import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { expectSamePage } from '@jobs-delete/dashboard/testing/read-page';
import { accept } from '@jobs-delete/deleter-service/testing/deletions';
import { uuidAt } from '@jobs-delete/runtime/time/clock';
import { createClient, expectAccepted } from '../http/client.ts';
import { useScene } from './scene.ts';

const scene = useScene();
let viewer: SignedInBrowser;
beforeAll(async () => {
  viewer = await scene.dashboard.signIn('acme', 'viewer');
});

const english = { 'Accept-Language': 'en' };

/** Returns the terms and facts of a page, without markup. */
function factsOf(text: string): Record<string, string> {
  const plain = (html: string) => html.replaceAll(/<[^>]+>/g, '');
  const facts = [...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)];
  return Object.fromEntries(facts.map(([, term = '', fact = '']) => [plain(term), plain(fact)]));
}

/** Returns the ids that lead to the page of their job. */
function linkedIds(text: string): readonly string[] {
  return [...text.matchAll(/<a href="\/a\/[\w-]+\/jobs\?job=(\w+)"><code>\1</g)].map(([, id]) => String(id));
}

test('the page of a deletion through the API says who asked, and how long it took', async () => {
  const client = await createClient(scene.service, 'buyer');
  const buyer = await scene.dashboard.signIn('buyer', 'viewer');
  const jobIds = await client.newJobs(2);
  const answer = await client.call({ jobIds });
  const id = expectAccepted(answer, jobIds);
  const status = { method: 'GET', path: `/v1/deletions/${id}?wait=30`, body: '' };
  await client.call({ ...status, headers: { 'Content-Type': undefined } });

  const page = await buyer.get(`/activity/${id}`, english);
  expect(page.status).toBe(200);
  expect(factsOf(page.text)).toMatchObject({
    Completed: expect.stringMatching(/\d\d:\d\d:\d\d UTC$/),
    Token: expect.stringMatching(/^\w+$/),
    Origin: client.account.origin,
    Language: 'en',
    'Request-Id': answer.headers['request-id'],
  });
  expect(page.text).toMatch(/<dt>Completed<\/dt><dd>.*?<\/dd><dd class="muted">took [^<]+<\/dd>/);
  expect(linkedIds(page.text)).toEqual(jobIds);
  expect(page.text).not.toContain('data-events');
});

test('the page names the token', async () => {
  const { accounts } = scene.service.operator;
  const account = await scene.service.operator.createAccount('named');
  const [token] = await accounts.listCredentials('token', account.accountId);
  const tokenId = token?.id ?? '';
  await accounts.addCredential({
    kind: 'token',
    id: 'namedtoken',
    accountId: 'named',
    name: 'Shop',
    createdAtMs: 1,
    hash: Buffer.alloc(32),
  });
  const member = await scene.dashboard.signIn('named', 'viewer');
  const named = await scene.accept('named', { origin: { tokenId: 'namedtoken' } });
  const unnamed = await scene.accept('named', { origin: { tokenId } });
  const { text } = await member.get(`/activity/${named.id}`, english);
  expect(text).toMatch(/<dt>Accepted<\/dt><dd>.*?<\/dd><dd class="muted">Shop<\/dd>/);
  const tokenOf = async (id: string) => factsOf((await member.get(`/activity/${id}`, english)).text).Token;
  expect(await tokenOf(named.id)).toBe('Shop (namedtoken)');
  expect(await tokenOf(unnamed.id)).toBe(tokenId);
});

test('the page has all ids in one list with their titles, as far as it stays below 80 kB', async () => {
  const { store } = scene.service.operator;
  const jobIds = Array.from({ length: 350 }, (_, index) => `Many${String(1_000 + index)}`);
  const titled = jobIds.map((id) => ({ id, posting: { title: `Title of ${id}` } }));
  await store.importJobs('acme', titled, 1);
  const removalAtMs = Date.now() + 3_600_000;
  const deletionId = uuidAt(Date.now(), randomBytes(16));
  const delayed = { deletionId, accountId: 'acme', removalAtMs, dueAtMs: removalAtMs };
  const { id } = await accept(store, jobIds, delayed);
  const { text } = await viewer.get(`/activity/${id}`, english);
  expect(linkedIds(text)).toEqual(jobIds);
  const [inView = '', folded = ''] = text.split('<summary>Show 300 more</summary>');
  expect([linkedIds(inView), linkedIds(folded)]).toEqual([jobIds.slice(0, 50), jobIds.slice(50)]);
  expect(text.match(/>Title of Many\d+</g)).toHaveLength(350);
  expect(text).toContain(`<p class="on-paper">${scene.dashboard.publicUrl}/a/acme/activity/${id}</p>`);
  expect(Buffer.byteLength(text)).toBeLessThan(80_000);
});

test('the page of a deletion with long titles has all ids, and does not speak of others', async () => {
  const jobIds = Array.from({ length: 50 }, (_, index) => `Titled${String(index)}`);
  const { store } = scene.service.operator;
  const posting = { title: '求'.repeat(200) };
  const postings = jobIds.map((jobId) => ({ id: jobId, posting }));
  await store.importJobs('acme', postings, 1);
  const removalAtMs = Date.now() + 3_600_000;
  const deletionId = uuidAt(Date.now(), randomBytes(16));
  const { id } = await accept(store, jobIds, {
    deletionId,
    accountId: 'acme',
    removalAtMs,
    dueAtMs: removalAtMs,
  });
  const { text } = await viewer.get(`/activity/${id}`, english);
  expect(linkedIds(text)).toEqual(jobIds);
  expect(text).toContain('求求');
  expect(text).not.toContain('The text file has all of them');
});

test('the page has the first 50 ids of too many, and the file has all', async () => {
  const { id, jobIds } = await scene.accept('acme', { jobs: 2_500 });
  const { text } = await viewer.get(`/activity/${id}`, english);
  expect(text).toContain('The first 50 of 2,500 ids. The text file has all of them.');
  expect(linkedIds(text)).toEqual(jobIds.slice(0, 50));
  expect(factsOf(text)).toMatchObject({ Completed: 'not yet' });
  expect(factsOf(text)).not.toHaveProperty('Origin');

  const file = await viewer.get(`/activity/${id}/ids.txt`);
  expect(file.headers.get('Content-Disposition')).toBe(`attachment; filename=deletion-${id}.txt`);
  expect(file.text).toBe(`${jobIds.join('\n')}\n`);
});

test('a receipt says why its jobs have no titles, and a deletion that goes on does not', async () => {
  const deletion = await scene.accept('acme');
  const saysWhy = async () =>
    (await viewer.get(`/activity/${deletion.id}`, english)).text.includes('The title of a job is removed');
  expect(await saysWhy()).toBe(false);
  await scene.complete(deletion);
  expect(await saysWhy()).toBe(true);
});

test('the notice of a deletion says how far it is, and the next page says it without a notice', async () => {
  const deletion = await scene.accept('acme', { jobs: 3 });
  const open = async () => {
    viewer.cookies.set('notice', 'deletion-accepted');
    const { text } = await viewer.get(`/activity/${deletion.id}?notice=deletion-accepted`, english);
    return /<p class="notice" role="status"><span data-live="outcome">(.*?)<\/span>/.exec(text)?.[1];
  };
  expect(await open()).toBe('Accepted. The removal starts in a moment.');
  await scene.complete(deletion);
  expect(await open()).toBe('3 jobs are deleted.');
  const { text } = await viewer.get(`/activity/${deletion.id}?notice=deletion-accepted`, english);
  expect(text).toContain('<p><span data-live="outcome">3 jobs are deleted.</span></p>');
  expect(text).not.toContain('class="notice"');
});

test('the title says how many jobs were deleted when', async () => {
  const acceptedAtMs = Date.UTC(2026, 0, 15, 9);
  const { id } = await scene.accept('acme', { jobs: 3, acceptedAtMs });
  const titleIn = async (language: string) =>
    /<h1>(.*?)<\/h1>/.exec((await viewer.get(`/activity/${id}`, { 'Accept-Language': language })).text)?.[1];
  expect(await titleIn('en')).toBe('Deletion of 3 jobs on 15 Jan 2026, 09:00 UTC');
  expect(await titleIn('fr')).toMatch(/^Suppression de 3 offres le 15 janv\. 2026/);
  expect(await titleIn('es')).toMatch(/^Eliminación de 3 ofertas el 15 ene 2026/);
});

test.each([
  ['shop/1.0', 'shop/1.0'],
  ['shop/1.0 (Linux) node/20', '<details><summary title="shop/1.0 (Linux) node/20">shop/1.0</summary>'],
  [
    'Mozilla/5.0 (X11; Linux) Firefox/145.0',
    '>Firefox, Linux</summary>Mozilla/5.0 (X11; Linux) Firefox/145.0<',
  ],
])('the User-Agent %s has a short name', async (userAgent, shown) => {
  const { id } = await scene.accept('acme', { origin: { userAgent } });
  const { text } = await viewer.get(`/activity/${id}`, english);
  expect(/<dt>Client<\/dt><dd>(.*?)<\/dd>/.exec(text)?.[1]).toContain(shown);
});

test('what callers sent cannot become markup', async () => {
  const { id } = await scene.accept('acme', { origin: { userAgent: '<script>alert(1)</script>/1' } });
  const { text } = await viewer.get(`/activity/${id}`, english);
  expect(text).toContain('&lt;script');
  expect(text).not.toContain('<script>alert');
});

test.each(['', '/ids.txt', '/events'])(
  'an unknown, a foreign and a malformed deletion give the same 404%s',
  async (path) => {
    const foreign = await scene.accept('foreign');
    const unknown = await viewer.get(`/activity/${randomUUID()}${path}`, english);
    expect(unknown.status).toBe(404);
    for (const id of [foreign.id, 'x', '%00', foreign.id.toUpperCase()])
      expectSamePage(unknown, await viewer.get(`/activity/${id}${path}`, english));
  },
);

test('the page of a deletion that is not on record says why, and leads to the others', async () => {
  const { text } = await viewer.get(`/activity/${randomUUID()}`, english);
  expect(text).toContain('The request may have been refused, or the receipt may have expired.');
  expect(text).toContain('<a class="button" href="/a/acme/activity">Activity</a>');
});
