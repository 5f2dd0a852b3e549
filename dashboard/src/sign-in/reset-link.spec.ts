import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resetSignIn } from '@jobs-delete/accounts/people/reset-sign-in';
import { addFactor, addPasskey, enrol, signInWith, testPassword } from '../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('a person who lost everything signs in with the link of the operator, and chooses a new password', async () => {
  const email = 'lost@acme.example';
  const old = await enrol(dashboard, 'acme', email);
  await addPasskey(dashboard, old);
  await addFactor(old);
  const person = await dashboard.accounts.findPersonByEmail(email);
  if (person === undefined) throw new Error(`nobody has the address ${email}`);
  const { secret } = await resetSignIn(dashboard.accounts, person, 'acme', Date.now);

  expect(await old.get('/keys')).toMatchObject({ status: 303 });
  expect(await signInWith(dashboard.browser(), email, testPassword)).toMatchObject({ status: 422 });

  const browser = dashboard.browser();
  const link = `/link/${secret}`;
  await browser.get(link);
  expect(await browser.post(link)).toMatchObject({ status: 303, location: '/profile' });
  await browser.get('/profile');
  const password = 'another boat under another bridge';
  expect(await browser.post('/profile/password', { password })).toMatchObject({ status: 303 });
  expect(await dashboard.browser().get(link)).toMatchObject({ status: 404 });

  expect(await signInWith(dashboard.browser(), email, testPassword)).toMatchObject({ status: 422 });
  const again = dashboard.browser();
  expect(await signInWith(again, email, password)).toMatchObject({ status: 303, location: '/' });
  expect(await again.get('/keys')).toMatchObject({ status: 200 });
});
