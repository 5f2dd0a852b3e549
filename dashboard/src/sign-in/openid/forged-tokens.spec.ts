import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OpenIdIdentity } from '@jobs-delete/accounts/people/people';
import { newId } from '@jobs-delete/accounts/people/new-id';
import { startTestDashboard, type TestDashboard } from '../../testing/start-test-dashboard.ts';
import type { TestAnswer, TestBrowser } from '../../testing/test-browser.ts';
import { startTestOpenIdProvider, type TestOpenIdProvider } from '../../testing/test-openid-provider.ts';

// ID tokens that no right provider issues. openid.spec.ts has everything else.

let provider: TestOpenIdProvider;
let dashboard: TestDashboard;
beforeAll(async () => {
  provider = await startTestOpenIdProvider();
  dashboard = await startTestDashboard({
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: 'dashboard',
    OPENID_CLIENT_SECRET: provider.clientSecret,
    LOG_LEVEL: 'fatal',
  });
  const openId: OpenIdIdentity = { issuer: provider.issuer, subject: 'ada' };
  await dashboard.accounts.addAccount({ id: 'acme', createdAtMs: Date.now() });
  const memberships = [{ accountId: 'acme', role: 'owner', email: 'ada@acme.example' }] as const;
  await dashboard.accounts.addPerson({
    id: newId(),
    createdAtMs: Date.now(),
    memberships,
    passkeys: [],
    openId,
  });
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.claims = { sub: 'ada' };
  provider.hasForeignKey = false;
});

async function signIn(browser: TestBrowser): Promise<TestAnswer> {
  const { location = '' } = await browser.get('/sign-in/openid');
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
