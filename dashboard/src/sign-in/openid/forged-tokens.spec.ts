import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@jobs-delete/accounts/people/people';
import { startTestDashboard, type TestDashboard } from '../../testing/start-test-dashboard.ts';
import type { TestAnswer, TestBrowser } from '../../testing/test-browser.ts';
import { startTestOpenIdProvider, type TestOpenIdProvider } from '../../testing/test-openid-provider.ts';

// ID tokens that no right provider issues. openid.spec.ts has everything else.

let provider: TestOpenIdProvider;
let dashboard: TestDashboard;
/** Starts a dashboard with one person, `ada`. */
async function start(env: NodeJS.ProcessEnv): Promise<TestDashboard> {
  const started = await startTestDashboard({ OPENID_CLIENT_ID: 'dashboard', LOG_LEVEL: 'fatal', ...env });
  const createdAtMs = Date.now();
  await started.accounts.addAccount({ id: 'acme', createdAtMs });
  const openId = { issuer: env.OPENID_ISSUER ?? '', subject: 'ada' };
  const memberships = [{ accountId: 'acme', role: 'owner', email: 'ada@acme.example' }] as const;
  await started.accounts.addPerson({ id: newId(), createdAtMs, memberships, passkeys: [], openId });
  return started;
}

beforeAll(async () => {
  provider = await startTestOpenIdProvider();
  dashboard = await start({ OPENID_ISSUER: provider.issuer, OPENID_CLIENT_SECRET: provider.clientSecret });
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.claims = { sub: 'ada' };
  provider.hasForeignKey = false;
});

async function signIn(browser: TestBrowser, path = '/sign-in/openid'): Promise<TestAnswer> {
  const { location = '' } = await browser.get(path);
  const answer = await fetch(location, { redirect: 'manual' });
  const { pathname, search } = new URL(answer.headers.get('Location') ?? '');
  return browser.get(pathname + search);
}

test('the right token signs in', async () => {
  expect(await signIn(dashboard.browser())).toMatchObject({ status: 303 });
});

test.each<[string, Record<string, unknown>]>([
  ['a wrong issuer', { iss: 'https://evil.example' }],
  ['a wrong audience', { aud: 'other' }],
  ['a wrong nonce', { nonce: 'x' }],
  ['an expired token', { exp: 1 }],
  ['an old sign-in', { auth_time: 1 }],
])('%s is refused', async (_, wrong) => {
  provider.claims = { sub: 'ada', ...wrong };
  const browser = dashboard.browser();
  expect(await signIn(browser)).toMatchObject({ status: 403 });
  expect(browser.cookies.has('session')).toBe(false);
});

test('a token with a foreign signature is refused', async () => {
  provider.hasForeignKey = true;
  expect(await signIn(dashboard.browser())).toMatchObject({ status: 403 });
});

test('a provider that does not say when it saw the person signs in, and only a confirmation is recent', async () => {
  const google = await startTestOpenIdProvider();
  google.claimsSupported = ['iss', 'sub'];
  google.claims = { sub: 'ada', auth_time: undefined };
  const env = { OPENID_ISSUER: google.issuer, OPENID_CLIENT_SECRET: google.clientSecret };
  const trusting = await start(env);
  try {
    const browser = trusting.browser();
    expect(await signIn(browser)).toMatchObject({ status: 303 });
    const location = '/sign-in/again?next=%2Fpeople%2Finvite';
    expect(await browser.get('/people/invite')).toMatchObject({ location });
    expect(await signIn(browser, '/sign-in/openid?purpose=again')).toMatchObject({ status: 303 });
    expect(await browser.get('/people/invite')).toMatchObject({ status: 200 });
  } finally {
    await trusting.stop();
    await google.stop();
  }
});
