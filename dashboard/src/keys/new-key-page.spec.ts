import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deriveKeys, type Services } from '../services.ts';
import { htmlOf } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import { fieldOf } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { formLifetimeMs, openForm, shownMs } from '../web/form-once.tsx';
import type { MemberVisit } from '../web/route.ts';
import { createKeyRoutes } from './create-key-routes.tsx';
import { listBothKinds } from './key-state.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('the page of new keys names the first job of the account in its examples, for 15 minutes', async () => {
  const { session, person, email } = await dashboard.signIn('acme', 'manager');
  const pepper = createSecretKey(randomBytes(32));
  const services = partOf<Services>({
    accounts: dashboard.accounts,
    deleter: { listJobs: () => Promise.resolve({ jobIds: ['NURSE2', 'NURSE3'], next: undefined }) },
    keys: deriveKeys({ pepper }),
    pepper,
    apiUrl: 'https://api.example.com',
    now: () => Date.now(),
  });
  const nowMs = Date.now();
  const holder = { accountId: 'acme', session, nowMs };
  const form = new URLSearchParams({
    // The form expires a second after it is sent.
    once: openForm(services, { ...holder, nowMs: nowMs - formLifetimeMs + 1_000 }),
    create: 'both',
    name: 'shop',
    expiry: '90',
    environment: 'live',
  });
  const sent = { ...holder, form, query: form, person, email, network: '192.0.2.1', language: 'en' } as const;
  const visit = partOf<MemberVisit>(sent);
  const [, submit, issued] = createKeyRoutes(services);
  await submit?.serve(visit);
  const html = htmlOf(await issued?.serve({ ...visit, nowMs: nowMs + 2_000 }));
  expect(html).toContain('&quot;NURSE2&quot;');
  expect(html).toContain("deleteJobs(['NURSE2'])");
  expect(html).not.toMatch(/NURSE001|NURSE3|Replace/);
  const later = await issued?.serve({ ...visit, nowMs: nowMs + shownMs + 1_000 });
  expect(later).toEqual({ kind: 'redirect', to: '/a/acme/keys' });
});

test('a form leads to the page of its keys, which only its session can open', async () => {
  const [manager, colleague] = [
    await dashboard.signIn('own', 'manager'),
    await dashboard.signIn('own', 'manager'),
  ];
  const form = await manager.get('/keys/new');
  const [once, csrf] = [fieldOf(form, 'once'), fieldOf(form, 'csrf')];
  const page = `/keys/issued?once=${once}`;
  const toList = { status: 303, location: '/keys' };
  expect(await manager.get(page)).toMatchObject(toList);
  const fields = { once, csrf, create: 'token', name: 'shop', expiry: '90', environment: 'live' };
  expect(await manager.postRaw('/keys/new', fields)).toMatchObject({ status: 303, location: page });
  const { text } = await manager.get(page);
  expect(text).toMatch(/id="token">jdt_/);
  expect((await manager.get(page)).text).toContain(/id="token">([^<]*)/.exec(text)?.[1]);
  expect(await colleague.get(page)).toMatchObject(toList);
  const [token] = await listBothKinds(dashboard.accounts, 'own');
  await dashboard.accounts.revokeCredential('own', { kind: 'token', id: token?.id ?? '' }, 1);
  expect(await manager.get(page)).toMatchObject(toList);
});

test('the page of new keys has their name and expiry, and names another valid key with that name', async () => {
  const manager = await dashboard.signIn('alike', 'manager');
  const createNamed = async (create: string, expiry = '90') => {
    const once = fieldOf(await manager.get('/keys/new'), 'once');
    const { text } = await manager.post('/keys/new', {
      once,
      create,
      name: 'shop',
      expiry,
      environment: 'live',
    });
    const facts = [...text.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, fact]) => [
      term,
      fact?.replaceAll(/<[^>]*>/g, ''),
    ]);
    return { facts, isWarned: text.includes('Another valid key has the name') };
  };
  const first = await createNamed('both');
  expect(first.facts).toEqual([
    ['Name', 'shop'],
    ['Expires', expect.stringMatching(/^\d+ \w+ \d{4}, .* UTC$/)],
  ]);
  expect(first.isWarned).toBe(false);
  const second = await createNamed('token', 'never');
  expect(second.facts[1]).toEqual(['Expires', 'never']);
  expect(second.isWarned).toBe(true);
  for (const { id } of await dashboard.accounts.listCredentials('token', 'alike'))
    await manager.post(`/keys/token/${id}/revoke`);
  expect((await createNamed('token')).isWarned).toBe(false);
});

test('keys for the sandbox say so, and a rotation keeps them there', async () => {
  const account = 'of-sandbox';
  const manager = await dashboard.signIn(account, 'manager');
  const create = async (environment: string) => {
    const once = fieldOf(await manager.get('/keys/new'), 'once');
    return manager.post('/keys/new', { once, create: 'both', name: 'shop', expiry: '90', environment });
  };
  for (const none of ['', 'elsewhere']) expect(await create(none)).toMatchObject({ status: 422 });
  expect(await listBothKinds(dashboard.accounts, account)).toEqual([]);
  const { text } = await create('sandbox');
  expect(text).toContain('<dt>Where it works</dt><dd><span class="badge neutral">Sandbox only</span></dd>');
  const [token] = await listBothKinds(dashboard.accounts, account);
  const rotation = `/keys/token/${token?.id ?? ''}/rotate`;
  const form = await manager.get(rotation);
  const sent = { once: fieldOf(form, 'once'), pair: fieldOf(form, 'pair'), also: 'on' };
  expect(await manager.post(rotation, sent)).toMatchObject({ status: 200 });
  const sandbox = { environment: 'sandbox' };
  expect(await listBothKinds(dashboard.accounts, account)).toMatchObject([
    sandbox,
    sandbox,
    sandbox,
    sandbox,
  ]);
  const page = (await manager.get(`/keys/token/${token?.id ?? ''}`)).text;
  expect(page).toContain('Sandbox only');
  expect((await manager.get('/overview')).text).toContain('href="/a/' + account + '/keys/new"');
});

test.each([
  ['live', 'sandbox'],
  ['sandbox', 'live'],
])(
  'a form that is sent again for another environment creates and shows nothing: %s, then %s',
  async (first, other) => {
    const account = `first-${first}`;
    const manager = await dashboard.signIn(account, 'manager');
    const fields = { once: fieldOf(await manager.get('/keys/new'), 'once'), name: 'shop', expiry: '90' };
    const send = (create: string, environment: string) =>
      manager.post('/keys/new', { ...fields, create, environment });
    expect(await send('token', first)).toMatchObject({ status: 200 });
    const { status, text } = await send('both', other);
    expect([status, text.includes('jdt_')]).toEqual([422, false]);
    expect(await listBothKinds(dashboard.accounts, account)).toHaveLength(1);
  },
);
