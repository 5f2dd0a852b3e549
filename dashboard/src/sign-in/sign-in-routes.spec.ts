import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { enrol, signInWith, testPassword } from '../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard({ TRUST_PROXY: '1' })));
afterAll(() => dashboard.stop());

/** Tries to sign in from a network. */
const signInFrom = async (browser: TestBrowser, network: string, email: string, password: string) => {
  const page = await browser.get('/sign-in', { 'Accept-Language': 'en' });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  return browser.postRaw('/sign-in', { csrf, email, password }, { 'X-Forwarded-For': network });
};

test('the right password signs in, with any spelling of the address', async () => {
  await enrol(dashboard, 'acme', 'ada@acme.example');
  const browser = dashboard.browser();
  expect(await signInWith(browser, ' ADA@acme.example ', testPassword)).toMatchObject({
    status: 303,
    location: '/',
  });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
  expect(await browser.get('/sign-in')).toMatchObject({ status: 303, location: '/' });
});

test('an unknown address is answered like a wrong password', async () => {
  await enrol(dashboard, 'acme', 'alike@acme.example');
  const texts = [];
  for (const email of ['alike@acme.example', 'nobody@acme.example', 'no address']) {
    const answer = await signInFrom(dashboard.browser(), '192.0.2.9', email, 'the wrong password');
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain('the wrong password');
    texts.push(answer.text.replace(email, '').replaceAll(/value="[^"]*"/g, ''));
  }
  expect(new Set(texts).size).toBe(1);
});

test.each([
  ['/keys?kind=token', '/keys?kind=token'],
  ['https://evil.example', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
])('the sign-in with next=%s leads to %s', async (next, expected) => {
  await enrol(dashboard, 'acme', `next-${Buffer.from(next).toString('hex')}@acme.example`);
  const email = `next-${Buffer.from(next).toString('hex')}@acme.example`;
  const answer = await signInWith(dashboard.browser(), email, testPassword, { next });
  expect(answer).toMatchObject({ status: 303, location: expected });
});

test('a sign-in gets a session that nobody knew before', async () => {
  await enrol(dashboard, 'acme', 'fixed@acme.example');
  const browser = dashboard.browser();
  const planted = 'x'.repeat(43);
  browser.cookies.set('session', planted);
  await signInWith(browser, 'fixed@acme.example', testPassword);
  expect(browser.cookies.get('session')).not.toBe(planted);
  expect(await dashboard.accounts.findSession(hashSecret(planted))).toBeUndefined();
});

test('sign-ins and refused ones are recorded, refused ones once a minute for a network', async () => {
  await enrol(dashboard, 'audited', 'ann@audited.example');
  for (const network of ['192.0.2.20', '192.0.2.20', '192.0.2.21'])
    await signInFrom(dashboard.browser(), network, 'ann@audited.example', 'the wrong password');
  await signInFrom(dashboard.browser(), '192.0.2.22', 'ann@audited.example', testPassword);
  const entries = await dashboard.accounts.listActions({ accountId: 'audited', pageSize: 50 });
  const found = entries.map(({ action, network }) => `${action} ${network ?? ''}`);
  expect(found.filter((text) => text.startsWith('sign-in.refused')).sort()).toEqual([
    'sign-in.refused 192.0.2.20',
    'sign-in.refused 192.0.2.21',
  ]);
  expect(found).toContain('signed-in 192.0.2.22');
});

test('ten wrong passwords from a network block it for the person, not for others', async () => {
  const owner = await enrol(dashboard, 'locked', 'target@locked.example');
  await owner.get('/keys');
  await owner.post('/sign-out');
  const attacker = dashboard.browser();
  const attempt = (browser: TestBrowser, password: string, network = '192.0.2.30') =>
    signInFrom(browser, network, 'target@locked.example', password);
  for (let count = 0; count < 10; count += 1)
    expect((await attempt(attacker, `wrong password ${count}`)).status).toBe(422);

  const blocked = await attempt(attacker, testPassword);
  expect(blocked.status).toBe(429);
  expect(blocked.text).toContain('Too many wrong attempts. Try again in 15 min');
  // Another network, another person, and a browser of the person in the same network.
  expect(await attempt(dashboard.browser(), testPassword, '192.0.2.31')).toMatchObject({ status: 303 });
  expect(await signInFrom(attacker, '192.0.2.30', 'other@locked.example', 'x')).toMatchObject({
    status: 422,
  });
  expect(await attempt(owner, testPassword)).toMatchObject({ status: 303 });
});

test('the cookie of a known browser is worth nothing in another browser', async () => {
  const owner = await enrol(dashboard, 'copied', 'copy@copied.example');
  const thief = dashboard.browser();
  thief.cookies.set('browser-marks', owner.cookies.get('browser-marks') ?? '');
  for (let count = 0; count < 10; count += 1)
    await signInFrom(thief, '192.0.2.40', 'copy@copied.example', `wrong password ${count}`);
  expect(await signInFrom(thief, '192.0.2.40', 'copy@copied.example', testPassword)).toMatchObject({
    status: 429,
  });
});
