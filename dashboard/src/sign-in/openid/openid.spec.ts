import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { inviteTo, testPassword } from '../../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../../testing/test-browser.ts';
import { startTestOpenIdProvider, type TestOpenIdProvider } from '../../testing/test-openid-provider.ts';

let provider: TestOpenIdProvider;
let dashboard: TestDashboard;
beforeAll(async () => {
  provider = await startTestOpenIdProvider();
  dashboard = await startTestDashboard({
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: 'dashboard',
    OPENID_CLIENT_SECRET: provider.clientSecret,
    LOG_LEVEL: 'silent',
  });
});
afterEach(() => {
  provider.claims = {};
  provider.hasForeignKey = false;
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});

/** Accepts an invitation without choosing a password or a passkey. */
const join = async (email: string) => {
  const link = await inviteTo(dashboard, 'acme', email);
  const browser = dashboard.browser();
  await browser.get(link);
  await browser.post(link);
  return browser;
};
/** Follows the browser to the provider. Returns the path that the provider leads back to. */
const visitProvider = async (browser: TestBrowser, next = '/domains') => {
  const begun = await browser.get(`/sign-in/openid?next=${encodeURIComponent(next)}`);
  const answer = await fetch(begun.location ?? '', { redirect: 'manual' });
  const { pathname, search } = new URL(answer.headers.get('Location') ?? '');
  return pathname + search;
};

test('an invited person signs in with the verified address of the provider', async () => {
  await join('ada@acme.example');
  provider.claims = { email: 'Ada@acme.example', email_verified: true };
  const browser = dashboard.browser();
  expect((await browser.get('/sign-in')).text).toContain('href="/sign-in/openid?next=%2F"');
  expect(await browser.get(await visitProvider(browser))).toMatchObject({
    status: 303,
    location: '/domains',
  });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
});

test('an invited person chooses the provider instead of a password', async () => {
  const browser = await join('bob@acme.example');
  expect((await browser.get('/sign-in/next')).text).toContain('/sign-in/openid');
  provider.claims = { email: 'bob@acme.example', email_verified: true };
  await browser.get(await visitProvider(browser));
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
});

test.each<[string, Record<string, unknown>]>([
  ['of somebody who was not invited', { email: 'eve@acme.example' }],
  ['with an address that is not verified', { email_verified: false }],
  ['without an address', { email: undefined }],
  ['for another client', { aud: 'other' }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['with another nonce', { nonce: 'other' }],
  ['that has expired', { exp: 1 }],
  ['of a sign-in an hour ago', { auth_time: Math.floor(Date.now() / 1_000) - 3_600 }],
])('an ID token %s signs nobody in', async (_name, claims) => {
  await join('ada@acme.example');
  provider.claims = { email: 'ada@acme.example', email_verified: true, ...claims };
  const browser = dashboard.browser();
  expect(await browser.get(await visitProvider(browser))).toMatchObject({ status: 403 });
  expect(browser.cookies.has('session')).toBe(false);
});

test('an ID token with a foreign signature signs nobody in', async () => {
  await join('ada@acme.example');
  provider.claims = { email: 'ada@acme.example', email_verified: true };
  provider.hasForeignKey = true;
  const browser = dashboard.browser();
  expect(await browser.get(await visitProvider(browser))).toMatchObject({ status: 403 });
});

test('an answer works once, and only in the browser that began', async () => {
  await join('ada@acme.example');
  provider.claims = { email: 'ada@acme.example', email_verified: true };
  const [browser, other] = [dashboard.browser(), dashboard.browser()];
  await other.get('/sign-in');
  expect(await other.get(await visitProvider(browser))).toMatchObject({ status: 403 });
  const callback = await visitProvider(browser);
  expect(await browser.get(callback)).toMatchObject({ status: 303 });
  expect(await browser.get(callback)).toMatchObject({ status: 403 });
});

test('no other site is opened after the sign-in', async () => {
  await join('ada@acme.example');
  provider.claims = { email: 'ada@acme.example', email_verified: true };
  const browser = dashboard.browser();
  const callback = await visitProvider(browser, 'https://evil.example');
  expect(await browser.get(callback)).toMatchObject({ status: 303, location: '/' });
});

test('somebody who signs in at the provider proves it there again', async () => {
  await join('ada@acme.example');
  provider.claims = { email: 'ada@acme.example', email_verified: true };
  const browser = dashboard.browser();
  await browser.get(await visitProvider(browser));
  expect((await browser.get('/sign-in/again?next=%2Fkeys')).text).toContain(
    'href="/sign-in/openid?next=%2Fkeys"',
  );
});

test('a second invitation adds no password to somebody who signs in at the provider', async () => {
  const email = 'twice@acme.example';
  const first = await join(email);
  provider.claims = { email, email_verified: true };
  const own = dashboard.browser();
  await own.get(await visitProvider(own));
  // The session of the first link has ended, too.
  await first.post('/sign-in/next/password', { password: testPassword });

  const link = await inviteTo(dashboard, 'acme', email);
  const owner = dashboard.browser();
  await owner.get(link);
  expect(await owner.post(link)).toMatchObject({ status: 403 });
  expect(owner.cookies.has('session')).toBe(false);
  expect((await dashboard.accounts.findPersonByEmail(email))?.passwordHash).toBeUndefined();

  // The person is signed in, so the same link works.
  await own.get(link);
  expect(await own.post(link)).toMatchObject({ status: 303, location: '/profile' });
});

test('without a provider, there is no such sign-in', async () => {
  const other = await startTestDashboard();
  try {
    const browser = other.browser();
    expect((await browser.get('/sign-in')).text).not.toContain('openid');
    expect(await browser.get('/sign-in/openid')).toMatchObject({ status: 404 });
  } finally {
    await other.stop();
  }
});
