import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addFactor, enrol, signInWith, testPassword } from '../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

/** Enters the right password, then a code. */
const signInWithCode = async (browser: TestBrowser, email: string, code: string) => {
  await signInWith(browser, email, testPassword, { next: '/domains' });
  await browser.get('/sign-in/next?next=%2Fdomains');
  return browser.post('/sign-in/next/code', { code, next: '/domains' });
};

test('a password alone opens no page when there is a second factor', async () => {
  const factor = await addFactor(await enrol(dashboard, 'acme', 'two@acme.example'));
  const browser = dashboard.browser();
  expect(await signInWith(browser, 'two@acme.example', testPassword, { next: '/domains' })).toMatchObject({
    status: 303,
    location: '/sign-in/next?next=%2Fdomains',
  });
  expect(await browser.get('/keys')).toMatchObject({ status: 303, location: '/sign-in/next' });
  await browser.get('/sign-in/next');
  expect(await browser.post('/sign-in/next/password', { password: testPassword })).toMatchObject({
    location: '/sign-in/next',
  });
  const halfway = browser.cookies.get('session');

  expect((await browser.get('/sign-in/next?next=%2Fdomains')).text).toContain('id="totp-form"');
  expect(await browser.post('/sign-in/next/code', { code: '000000' })).toMatchObject({ status: 422 });
  expect(await browser.post('/sign-in/next/code', { code: factor.code(1), next: '/domains' })).toMatchObject({
    status: 303,
    location: '/domains',
  });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });

  const old = dashboard.browser();
  old.cookies.set('session', halfway ?? '');
  expect(await old.get('/keys')).toMatchObject({ status: 303, location: '/sign-in?next=%2Fkeys' });
});

test('a code is accepted once, and no earlier one after it', async () => {
  const factor = await addFactor(await enrol(dashboard, 'acme', 'replay@acme.example'));
  const next = factor.code(1);
  const sign = (code: string) => signInWithCode(dashboard.browser(), 'replay@acme.example', code);
  expect(await sign(factor.usedCode)).toMatchObject({ status: 422 });
  expect(await sign(next)).toMatchObject({ status: 303 });
  expect(await sign(next)).toMatchObject({ status: 422 });
  expect(await sign(factor.usedCode)).toMatchObject({ status: 422 });
});

test('exactly one of several browsers that use a code at the same time is signed in', async () => {
  const factor = await addFactor(await enrol(dashboard, 'acme', 'race@acme.example'));
  const browsers = [dashboard.browser(), dashboard.browser(), dashboard.browser()];
  const code = factor.code(1);
  const answers = await Promise.all(
    browsers.map((browser) => signInWithCode(browser, 'race@acme.example', code)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
});

test('a recovery code replaces the authenticator app once', async () => {
  const factor = await addFactor(await enrol(dashboard, 'acme', 'lost@acme.example'));
  const [code = ''] = factor.recoveryCodes;
  const sign = () => signInWithCode(dashboard.browser(), 'lost@acme.example', code.toUpperCase());
  expect(await sign()).toMatchObject({ status: 303, location: '/domains' });
  expect(await sign()).toMatchObject({ status: 422 });
  const person = await dashboard.accounts.findPersonByEmail('lost@acme.example');
  expect(person?.recoveryCodes).toHaveLength(9);
});

test('somebody who knows the password cannot guess codes, and locks no known browser out', async () => {
  const owner = await enrol(dashboard, 'acme', 'guess@acme.example');
  const factor = await addFactor(owner);
  const attacker = dashboard.browser();
  for (let count = 0; count < 10; count += 1)
    expect(await signInWithCode(attacker, 'guess@acme.example', '000000')).toMatchObject({ status: 422 });
  expect(await signInWithCode(attacker, 'guess@acme.example', factor.code(1))).toMatchObject({ status: 429 });

  await owner.get('/profile');
  await owner.post('/sign-out');
  expect(await signInWithCode(owner, 'guess@acme.example', factor.code(1))).toMatchObject({ status: 303 });
});

test('the audit trail names how somebody signed in, and when they left', async () => {
  const email = 'trail@trail.example';
  const owner = await enrol(dashboard, 'trail', email);
  const factor = await addFactor(owner);
  const entries = async () => {
    const found = await dashboard.accounts.listActions({ accountId: 'trail', pageSize: 50 });
    return found.toReversed().map(({ action, subject = '' }) => `${action} ${subject}`.trim());
  };
  const before = (await entries()).length;

  const [recoveryCode = ''] = factor.recoveryCodes;
  await signInWithCode(dashboard.browser(), email, factor.code(1));
  await signInWithCode(dashboard.browser(), email, recoveryCode);
  await owner.get('/profile');
  await owner.post('/profile/recovery-codes');
  await owner.post('/sign-out');
  expect((await entries()).slice(before)).toEqual([
    'signed-in password and code',
    'signed-in password and recovery code',
    'recovery-codes.replaced',
    'signed-out',
  ]);
  expect((await entries())[0]).toBe('person.joined owner');
});
