import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPaths } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { inviteTo } from '../../testing/enrol.ts';
import {
  startRealOpenIdProvider,
  visitProvider,
  type ProviderVisit,
  type RealOpenIdProvider,
} from '../../testing/real-openid-provider.ts';
import { startTestDashboard, type TestDashboard } from '../../testing/start-test-dashboard.ts';
import type { TestAnswer, TestBrowser } from '../../testing/test-browser.ts';

const publicUrl = 'https://dashboard.example';

/** Every name is a person of the organisation, except these. */
const strangers: Readonly<Record<string, object>> = {
  guest: { groups: ['guests'] },
  'without-groups': { groups: undefined },
  'group-text': { groups: 'staff' },
  outsider: { hd: 'evil.example' },
  private: { hd: undefined },
};

let provider: RealOpenIdProvider;
let dashboard: TestDashboard;
const start = (env: NodeJS.ProcessEnv = {}) =>
  startTestDashboard({
    DASHBOARD_URL: publicUrl,
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: 'dashboard',
    OPENID_CLIENT_SECRET: provider.clientSecret,
    OPENID_GROUP: 'staff',
    OPENID_HOSTED_DOMAIN: 'corp.example',
    LOG_LEVEL: 'fatal',
    ...env,
  });
beforeAll(async () => {
  provider = await startRealOpenIdProvider(`${publicUrl}/sign-in/openid/callback`, (name) => ({
    ...{ groups: ['all', 'staff'], hd: 'corp.example', email: 'ada@corp.example', email_verified: true },
    ...strangers[name],
  }));
  dashboard = await start();
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});

interface AtProvider {
  readonly name: string | undefined;
  readonly providerBrowser?: TestBrowser;
  /** Changes the request on its way to the provider. */
  readonly change?: (request: URL) => void;
}

/** Follows a link to the provider, and signs in there. Resolves to the redirect back. */
async function atProvider(browser: TestBrowser, path: string, visitor: AtProvider): Promise<ProviderVisit> {
  const { location = '' } = await browser.get(path);
  const request = new URL(location);
  visitor.change?.(request);
  return visitProvider(visitor.providerBrowser ?? provider.browser(), provider, request.href, visitor.name);
}

const follow = (browser: TestBrowser, { pathname, search }: URL) =>
  browser.get(pathname + search, { 'Accept-Language': 'en' });

async function signIn(
  browser: TestBrowser,
  name: string,
  path = '/sign-in/openid?next=%2Fkeys',
): Promise<TestAnswer> {
  return follow(browser, (await atProvider(browser, path, { name })).callback);
}

/** The link to the provider on the page of an invitation. */
async function joinPath(browser: TestBrowser, link: string): Promise<string> {
  const { text } = await browser.get(link);
  return (/id="openid-sign-in" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
}

async function join(browser: TestBrowser, name: string, account: string): Promise<TestAnswer> {
  const link = await inviteTo(dashboard, account, `${name}@${account}.example`, 'viewer');
  return signIn(browser, name, await joinPath(browser, link));
}

const isSignedIn = ({ cookies }: TestBrowser) => cookies.has('__Host-session');

function expectRefused(browser: TestBrowser, answer: TestAnswer): void {
  expect(answer.status).toBe(403);
  expect(answer.text).toContain('The sign-in with your organisation was refused.');
  expect(isSignedIn(browser)).toBe(false);
}

test('an invited person joins at the provider, and signs in there later', async () => {
  const browser = dashboard.browser();
  expect(await join(browser, 'ada', 'acme')).toMatchObject({ status: 303, location: '/keys?notice=joined' });
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

test.each(Object.keys(strangers))('%s, outside the group or domain, joins nothing', async (name) => {
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

/** Runs with a clock of the dashboard and the provider that is ahead, or behind. */
async function atTime<Outcome>(offsetMs: number, run: () => Promise<Outcome>): Promise<Outcome> {
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs);
  try {
    return await run();
  } finally {
    clock.mockRestore();
  }
}

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

const again = '/sign-in/openid?purpose=again&next=%2Fpeople';

test('nobody else confirms for a member', async () => {
  await join(dashboard.browser(), 'other', 'again');
  const browser = dashboard.browser();
  await join(browser, 'bob', 'again');
  expect(await signIn(browser, 'other', again)).toMatchObject({ status: 403 });
  expect(await signIn(browser, 'bob', again)).toMatchObject({ status: 303, location: '/people' });
});

test('a session that is open at the provider signs in, and does not confirm', async () => {
  const [browser, providerBrowser] = [dashboard.browser(), provider.browser()];
  const link = await inviteTo(dashboard, 'open', 'carol@open.example');
  const visitor = { name: 'carol', providerBrowser };
  const joining = await atProvider(browser, await joinPath(browser, link), visitor);
  expect(joining.prompts).toEqual(['login', 'consent']);
  await follow(browser, joining.callback);
  expect((await atProvider(browser, '/sign-in/openid', visitor)).prompts).toEqual([]);
  expect((await atProvider(browser, again, visitor)).prompts).toEqual(['login']);
});

test.each<[string, string, (request: URL) => void]>([
  [
    'dave',
    'without',
    ({ searchParams }) => ['prompt', 'max_age'].forEach((name) => searchParams.delete(name)),
  ],
  [
    'dora',
    'by an earlier',
    ({ searchParams }) => {
      searchParams.delete('prompt');
      searchParams.set('max_age', '900');
    },
  ],
])('%s, who confirms %s sign-in at the provider, is refused', async (name, _, change) => {
  const [browser, providerBrowser] = [dashboard.browser(), provider.browser()];
  const path = await joinPath(browser, await inviteTo(dashboard, name, `${name}@skip.example`));
  const visitor = { name, providerBrowser };
  await atTime(-60_000, async () => follow(browser, (await atProvider(browser, path, visitor)).callback));
  const session = browser.cookies.get('__Host-session');
  const { callback, prompts } = await atProvider(browser, again, { ...visitor, change });
  expect(prompts).toEqual([]);
  expect(await follow(browser, callback)).toMatchObject({ status: 403 });
  expect(browser.cookies.get('__Host-session')).toBe(session);
});

test('a sign-in counts as recent from the time at which the provider has seen the person', async () => {
  const [browser, providerBrowser] = [dashboard.browser(), provider.browser()];
  const link = await inviteTo(dashboard, 'seen', 'erin@seen.example');
  const path = await joinPath(browser, link);
  const visitor = { name: 'erin', providerBrowser };
  await atTime(-840_000, async () => follow(browser, (await atProvider(browser, path, visitor)).callback));
  const later = dashboard.browser();
  await follow(later, (await atProvider(later, '/sign-in/openid', visitor)).callback);
  expect(await later.get('/people')).toMatchObject({ status: 200 });
  expect(await atTime(120_000, () => later.get('/people'))).toMatchObject({
    location: '/sign-in/again?next=%2Fpeople',
  });
});
