import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addPasskey, enrol, optionsOf, originOf } from '../testing/enrol.ts';
import {
  createSoftwareAuthenticator,
  type AssertionChanges,
  type SoftwareAuthenticator,
} from '../testing/software-authenticator.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

const requestOptions = async (browser: TestBrowser) => {
  await browser.get('/sign-in');
  return optionsOf(await browser.post('/sign-in/passkey/options'));
};
const signIn = async (
  browser: TestBrowser,
  authenticator: SoftwareAuthenticator,
  changes: AssertionChanges = {},
) => {
  const response = authenticator.get(await requestOptions(browser), changes);
  return browser.post('/sign-in/passkey', { response, next: '/domains' });
};

test('a passkey signs in without an address, a password or a second factor', async () => {
  const authenticator = await addPasskey(dashboard, await enrol(dashboard, 'acme', 'key@acme.example'));
  const browser = dashboard.browser();
  expect(await signIn(browser, authenticator)).toMatchObject({ status: 303, location: '/domains' });
  const page = await browser.get('/keys');
  expect(page.status).toBe(200);
  expect(page.text).toContain('key@acme.example');
  const person = await dashboard.accounts.findPersonByEmail('key@acme.example');
  expect(person?.passkeys).toMatchObject([{ name: 'laptop', counter: 1 }]);
  expect(person?.passkeys[0]?.lastUsedAtMs).toBeDefined();
});

test('the options name the host, require verification, and list no passkeys', async () => {
  const options = await requestOptions(dashboard.browser());
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(options).not.toHaveProperty('allowCredentials.0');
});

test.each<[string, AssertionChanges]>([
  ['of another site', { origin: 'https://evil.example' }],
  ['without a verified user', { isVerified: false }],
  ['with the counter of a copy', { counter: 1 }],
  ['for another person', { userHandle: '0'.repeat(24) }],
])('an answer %s is refused', async (_name, changes) => {
  const email = `refused-${Math.random().toString(36).slice(2)}@acme.example`;
  const authenticator = await addPasskey(dashboard, await enrol(dashboard, 'acme', email));
  await signIn(dashboard.browser(), authenticator, { counter: 2 });
  const browser = dashboard.browser();
  expect(await signIn(browser, authenticator, { counter: 3, ...changes })).toMatchObject({ status: 422 });
  expect(browser.cookies.has('session')).toBe(false);
  expect(await signIn(browser, authenticator, { counter: 3 })).toMatchObject({ status: 303 });
});

test('an answer works once, and only in the browser that has got the challenge', async () => {
  const authenticator = await addPasskey(dashboard, await enrol(dashboard, 'acme', 'once@acme.example'));
  const browser = dashboard.browser();
  const response = authenticator.get(await requestOptions(browser));
  expect(await browser.post('/sign-in/passkey', { response })).toMatchObject({ status: 303 });
  const again = dashboard.browser();
  await again.get('/sign-in');
  expect(await again.post('/sign-in/passkey', { response })).toMatchObject({ status: 422 });

  const stolen = authenticator.get(await requestOptions(dashboard.browser()));
  expect(await again.post('/sign-in/passkey', { response: stolen })).toMatchObject({ status: 422 });
});

test('unknown passkeys and unreadable answers are refused', async () => {
  const browser = dashboard.browser();
  const unknown = createSoftwareAuthenticator('http://localhost');
  expect(await signIn(browser, unknown)).toMatchObject({ status: 422 });
  for (const response of ['', 'null', '{}', '{"id":"a","response":{"clientDataJSON":"a"}}'])
    expect(await browser.post('/sign-in/passkey', { response })).toMatchObject({ status: 422 });
});

test('the challenge for a sign-in adds no passkey', async () => {
  const browser = await enrol(dashboard, 'acme', 'mixed@acme.example');
  await browser.get('/profile');
  const options = optionsOf(await browser.post('/sign-in/passkey/options'));
  const response = createSoftwareAuthenticator(originOf(dashboard)).create(options);
  expect(await browser.post('/profile/passkeys', { response })).toMatchObject({ status: 422 });
});
