import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPaths } from 'node:path';
import { expect, test } from '@jest/globals';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { TestBrowser } from '../../testing/test-browser.ts';
import { inviteTo } from '../../testing/enrol.ts';
import { visitProvider } from '../../testing/real-openid-provider.ts';
import {
  atProvider,
  atTime,
  dashboard,
  expectRefused,
  follow,
  join,
  joinPath,
  provider,
  signIn,
  start,
  outsiders,
} from './openid.fixture.ts';

test('an invited person joins at the provider, and signs in there later', async () => {
  const browser = dashboard.browser();
  expect(await join(browser, 'ada', 'acme')).toMatchObject({
    status: 303,
    location: '/overview?notice=joined',
  });
  const later = dashboard.browser();
  expect(await signIn(later, 'ada')).toMatchObject({ status: 303, location: '/keys' });
  expect((await later.get('/keys')).text).toContain('ada@acme.example');
  const [person] = await dashboard.accounts.listPeople('acme');
  expect(person).toMatchObject({ openId: { issuer: provider.issuer, subject: 'ada' }, passkeys: [] });
});

test('only the provider signs in: there is no route for passkeys', () => {
  const paths = dashboard.routes.map(({ path }) => path);
  expect(paths.filter((path) => path.includes('passkey'))).toEqual([]);
});

test('exploit: the same verified address under another subject is another person', async () => {
  await join(dashboard.browser(), 'planted', 'planted');
  const browser = dashboard.browser();
  expectRefused(browser, await signIn(browser, 'mallory'));
});

test.each(Object.keys(outsiders))('%s, outside the group or domain, joins nothing', async (name) => {
  const browser = dashboard.browser();
  expectRefused(browser, await join(browser, name, 'closed'));
  expect(await dashboard.accounts.listPeople('closed')).toEqual([]);
});

test.each(['nonce', 'code_challenge'])('an answer to another %s is refused', async (parameter) => {
  await join(dashboard.browser(), 'altered', 'altered');
  const browser = dashboard.browser();
  const change = ({ searchParams }: URL) => searchParams.set(parameter, 'x'.repeat(43));
  const { callback } = await atProvider(browser, '/sign-in/openid', { name: 'altered', change });
  expectRefused(browser, await follow(browser, callback));
});

test.each<[string, (callback: URL) => void]>([
  ['another issuer', ({ searchParams }) => searchParams.set('iss', 'https://evil.example')],
  ['no issuer', ({ searchParams }) => searchParams.delete('iss')],
  ['no state', ({ searchParams }) => searchParams.delete('state')],
  ['a changed state', ({ searchParams }) => searchParams.set('state', `A${searchParams.get('state') ?? ''}`)],
  ['no code', ({ searchParams }) => searchParams.delete('code')],
  ['an unknown code', ({ searchParams }) => searchParams.set('code', 'x'.repeat(43))],
])('an answer with %s is refused', async (_, change) => {
  await join(dashboard.browser(), 'changed', 'changed');
  const browser = dashboard.browser();
  const { callback } = await atProvider(browser, '/sign-in/openid', { name: 'changed' });
  const changed = new URL(callback);
  change(changed);
  expectRefused(browser, await follow(browser, changed));
  expect(await follow(browser, callback)).toMatchObject({ status: 303 });
});

test('an expired code of the provider is refused', async () => {
  await join(dashboard.browser(), 'late', 'late');
  const browser = dashboard.browser();
  const { callback } = await atProvider(browser, '/sign-in/openid', { name: 'late' });
  expectRefused(browser, await atTime(61_000, () => follow(browser, callback)));
});

test('a sign-in that takes longer than 10 minutes is refused', async () => {
  await join(dashboard.browser(), 'slow', 'slow');
  const browser = dashboard.browser();
  const { location = '' } = await atTime(-601_000, () => browser.get('/sign-in/openid'));
  const { callback } = await visitProvider(provider.browser(), provider, location, 'slow');
  expectRefused(browser, await follow(browser, callback));
});

test('an answer works once, and only in the browser that has asked', async () => {
  await join(dashboard.browser(), 'once', 'once');
  const [browser, other] = [dashboard.browser(), dashboard.browser()];
  const { callback } = await atProvider(browser, '/sign-in/openid', { name: 'once' });
  await other.get('/sign-in');
  expectRefused(other, await follow(other, callback));
  expect(await follow(browser, callback)).toMatchObject({ status: 303 });
  expect(await follow(browser, callback)).toMatchObject({ status: 403 });
});

test('a sign-in of a person at the limit of forms stores nothing', async () => {
  const folder = mkdtempSync(joinPaths(tmpdir(), 'dashboard-'));
  const limited = await start({ DATA_DIR: folder });
  const database = openSqlite(joinPaths(folder, 'jobs-delete.db'), { name: 'test', migrations: [] });
  const stored = () => database.prepare('SELECT count(*) FROM one_time_secrets').raw().get();
  try {
    const browser = limited.browser();
    const link = await inviteTo(limited, 'limited', 'lou@limited.example', 'viewer');
    await signIn(browser, 'lou', await joinPath(browser, link));
    for (let sent = 0; sent <= 300; sent += 1) await browser.post('/profile/sessions/end-others');
    const before = stored();
    expect(await signIn(limited.browser(), 'lou')).toMatchObject({ status: 429 });
    expect(stored()).toEqual(before);
  } finally {
    database.close();
    await limited.stop();
    rmSync(folder, { recursive: true });
  }
});

test('a code of another browser, and a used code, are refused with a right state too', async () => {
  await join(dashboard.browser(), 'theft', 'theft');
  const [victim, thief] = [dashboard.browser(), dashboard.browser()];
  const { callback } = await atProvider(victim, '/sign-in/openid', { name: 'theft' });
  const codeFor = async (browser: TestBrowser) => {
    const own = (await atProvider(browser, '/sign-in/openid', { name: 'thief' })).callback;
    own.searchParams.set('code', callback.searchParams.get('code') ?? '');
    return own;
  };
  expectRefused(thief, await follow(thief, await codeFor(thief)));
  const fresh = await atProvider(victim, '/sign-in/openid', { name: 'theft' });
  expect(await follow(victim, fresh.callback)).toMatchObject({ status: 303 });
  victim.cookies.delete('__Host-session');
  const again = await atProvider(victim, '/sign-in/openid', { name: 'theft' });
  again.callback.searchParams.set('code', fresh.callback.searchParams.get('code') ?? '');
  expectRefused(victim, await follow(victim, again.callback));
});

test('somebody who cancels at the provider is not signed in', async () => {
  const browser = dashboard.browser();
  const { callback } = await atProvider(browser, '/sign-in/openid', { name: undefined });
  expect(callback.searchParams.get('error')).toBe('access_denied');
  expectRefused(browser, await follow(browser, callback));
});

test('a provider that refuses the dashboard signs nobody in', async () => {
  const wrong = await start({ OPENID_CLIENT_SECRET: 'wrong' });
  try {
    const browser = wrong.browser();
    expectRefused(browser, await signIn(browser, 'ada'));
  } finally {
    await wrong.stop();
  }
});

test.each([
  ['is away', 'http://127.0.0.1:1'],
  ['calls itself something else', () => provider.issuer.replace('127.0.0.1', 'localhost')],
])('a provider that %s gives a page that says so', async (_, issuer) => {
  const alone = await start({ OPENID_ISSUER: typeof issuer === 'string' ? issuer : issuer() });
  try {
    const answer = await alone.browser().get('/sign-in/openid', { 'Accept-Language': 'en' });
    expect(answer).toMatchObject({ status: 503, location: undefined });
    expect(answer.text).toContain('<h1>');
  } finally {
    await alone.stop();
  }
});

test('a link of another site begins no join', async () => {
  const link = await inviteTo(dashboard, 'forged', 'bob@forged.example');
  const secret = link.split('/').at(-1) ?? '';
  const browser = dashboard.browser();
  await browser.get('/sign-in');
  for (const csrf of ['', 'x'])
    expect(await browser.get(`/sign-in/openid?purpose=join&link=${secret}&csrf=${csrf}`)).toMatchObject({
      status: 403,
    });
});
