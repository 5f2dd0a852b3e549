import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { addFactor, addPasskey, enrol, optionsOf, testPassword } from '../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

/** Makes the last proof of the browser's session an hour old. */
const age = async (browser: TestBrowser) => {
  const hash = hashSecret(browser.cookies.get('session') ?? '');
  await dashboard.accounts.changeSession(hash, { provenAtMs: Date.now() - 3_600_000 });
};
const provenAgeMs = async (browser: TestBrowser) => {
  const session = await dashboard.accounts.findSession(hashSecret(browser.cookies.get('session') ?? ''));
  return Date.now() - (session?.provenAtMs ?? 0);
};

test('the right password proves the person again, in a new session', async () => {
  const browser = await enrol(dashboard, 'acme', 'again@acme.example');
  await age(browser);
  const before = browser.cookies.get('session');
  await browser.get('/sign-in/again?next=%2Fkeys');
  expect(await browser.post('/sign-in/again', { password: 'wrong', next: '/keys' })).toMatchObject({
    status: 422,
  });
  expect(browser.cookies.get('session')).toBe(before);
  expect(await browser.post('/sign-in/again', { password: testPassword, next: '/keys' })).toMatchObject({
    status: 303,
    location: '/keys',
  });
  expect(browser.cookies.get('session')).not.toBe(before);
  expect(await provenAgeMs(browser)).toBeLessThan(60_000);
  expect(await dashboard.accounts.findSession(hashSecret(before ?? ''))).toBeUndefined();
});

test('no other site is opened after the proof', async () => {
  const browser = await enrol(dashboard, 'acme', 'open@acme.example');
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    await browser.get(`/sign-in/again?next=${encodeURIComponent(next)}`);
    expect(await browser.post('/sign-in/again', { password: testPassword, next })).toMatchObject({
      status: 303,
      location: '/',
    });
  }
});

test('with a second factor, the password alone proves nothing', async () => {
  const browser = await enrol(dashboard, 'acme', 'factor@acme.example');
  const factor = await addFactor(browser);
  await age(browser);
  expect((await browser.get('/sign-in/again')).text).toContain('name="code"');
  for (const code of ['', '000000'])
    expect(await browser.post('/sign-in/again', { password: testPassword, code })).toMatchObject({
      status: 422,
    });
  expect(await provenAgeMs(browser)).toBeGreaterThan(3_000_000);
  expect(
    await browser.post('/sign-in/again', { password: testPassword, code: factor.code(1) }),
  ).toMatchObject({ status: 303 });
});

test('a code alone proves nothing again', async () => {
  const browser = await enrol(dashboard, 'acme', 'half@acme.example');
  const factor = await addFactor(browser);
  await age(browser);
  await browser.get('/sign-in/again');
  expect(await browser.post('/sign-in/next/code', { code: factor.code(1) })).toMatchObject({
    status: 303,
    location: '/sign-in/next',
  });
  expect(await provenAgeMs(browser)).toBeGreaterThan(3_000_000);
});

test('a passkey of the person proves them again, the passkey of another person does not', async () => {
  const browser = await enrol(dashboard, 'acme', 'mine@acme.example');
  const mine = await addPasskey(dashboard, browser);
  const other = await addPasskey(dashboard, await enrol(dashboard, 'acme', 'theirs@acme.example'));
  await age(browser);
  const page = await browser.get('/sign-in/again');
  expect(page.text).toContain('id="passkey-sign-in"');
  const answerWith = async (authenticator: typeof mine) => {
    const response = authenticator.get(optionsOf(await browser.post('/sign-in/passkey/options')));
    return browser.post('/sign-in/again/passkey', { response, next: '/keys' });
  };
  expect(await answerWith(other)).toMatchObject({ status: 422 });
  expect(await provenAgeMs(browser)).toBeGreaterThan(3_000_000);
  expect(await answerWith(mine)).toMatchObject({ status: 303, location: '/keys' });
});

test('somebody without a password and a passkey is led to the profile', async () => {
  const browser = await dashboard.signIn('acme', 'owner');
  const page = await browser.get('/sign-in/again');
  expect(page.text).toContain('href="/profile"');
  expect(page.text).not.toContain('id="password-form"');
});
