import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { addPasskey, enrol, inviteTo, originOf, optionsOf, testPassword } from '../testing/enrol.ts';
import { createSoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

const actionsIn = async (accountId: string) => {
  const entries = await dashboard.accounts.listActions({ accountId, pageSize: 50 });
  return entries.map(({ action }) => action).sort();
};

/** A link of the command line that signs a person in. */
const signInLink = async (accountId: string, email: string) => {
  await dashboard.accounts.addAccount({ id: accountId, createdAtMs: Date.now() });
  const secret = newSecret();
  await dashboard.accounts.addOneTimeSecret({
    kind: 'sign-in',
    hash: hashSecret(secret),
    expiresAtMs: Date.now() + 60_000,
    data: { accountId, email, role: 'owner' },
  });
  return `/link/${secret}`;
};

test('a link says what it is for, and reading it does not use it', async () => {
  const link = await inviteTo(dashboard, 'acme', 'reader@acme.example', 'viewer');
  for (let reader = 0; reader < 2; reader += 1) {
    const answer = await dashboard.browser().get(link, { 'Accept-Language': 'en' });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('You are invited to the account acme as viewer.');
    expect(answer.text).toContain('reader@acme.example');
  }
  expect(await dashboard.accounts.findPersonByEmail('reader@acme.example')).toBeUndefined();
});

test('an invitation leads to the choice of a password, and then to the account', async () => {
  const browser = dashboard.browser();
  const link = await inviteTo(dashboard, 'joined', 'ada@joined.example', 'viewer');
  await browser.get(link);
  expect(await browser.post(link)).toMatchObject({ status: 303, location: '/sign-in/next' });
  expect(await browser.get('/keys')).toMatchObject({ status: 303, location: '/sign-in/next' });
  const page = await browser.get('/sign-in/next', { 'Accept-Language': 'en' });
  expect(page.text).toContain('id="password-form"');
  expect(page.text).toContain('id="add-passkey"');

  const refused = await browser.post('/sign-in/next/password', { password: 'unsafe' });
  expect(refused.status).toBe(422);
  expect(refused.text).not.toContain('unsafe');
  expect(await browser.get('/keys')).toMatchObject({ location: '/sign-in/next' });

  expect(await browser.post('/sign-in/next/password', { password: testPassword })).toMatchObject({
    status: 303,
    location: '/',
  });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
  expect(await actionsIn('joined')).toEqual(['password.changed', 'person.joined', 'signed-in']);
});

test('an invitation can be answered with a passkey', async () => {
  const browser = dashboard.browser();
  const link = await inviteTo(dashboard, 'keyed', 'kay@keyed.example');
  await browser.get(link);
  await browser.post(link);
  await browser.get('/sign-in/next');
  const options = optionsOf(await browser.post('/profile/passkeys/options'));
  const response = createSoftwareAuthenticator(originOf(dashboard)).create(options);
  expect(await browser.post('/sign-in/next/passkey', { response: '{}' })).toMatchObject({ status: 422 });
  expect(await browser.post('/sign-in/next/passkey', { response, name: 'laptop' })).toMatchObject({
    status: 303,
    location: '/',
  });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
  const person = await dashboard.accounts.findPersonByEmail('kay@keyed.example');
  expect(person?.passkeys).toMatchObject([{ name: 'laptop' }]);
});

test('a used, unknown or expired link works for nobody', async () => {
  const link = await inviteTo(dashboard, 'acme', 'once@acme.example');
  const first = dashboard.browser();
  await first.get(link);
  expect(await first.post(link)).toMatchObject({ status: 303 });
  for (const path of [link, '/link/unknown', `/link/${newSecret()}`]) {
    const second = dashboard.browser();
    expect(await second.get(path)).toMatchObject({ status: 404 });
    expect(await second.post(path)).toMatchObject({ status: 404 });
    expect(second.cookies.has('session')).toBe(false);
  }
});

test('exactly one of two browsers that use a link at the same time is signed in', async () => {
  const link = await signInLink('race', 'racer@race.example');
  const browsers = [dashboard.browser(), dashboard.browser(), dashboard.browser()];
  await Promise.all(browsers.map((browser) => browser.get(link)));
  const answers = await Promise.all(browsers.map((browser) => browser.post(link)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
  const person = await dashboard.accounts.findPersonByEmail('racer@race.example');
  expect(await dashboard.accounts.listSessions(person?.id ?? '')).toHaveLength(1);
});

test('a sign-in link signs in, and suggests to choose a password or a passkey', async () => {
  const browser = dashboard.browser();
  const link = await signInLink('demo', 'owner@demo.example');
  await browser.get(link);
  expect(await browser.post(link)).toMatchObject({ status: 303, location: '/profile' });
  const profile = await browser.get('/profile', { 'Accept-Language': 'en' });
  expect(profile.text).toContain('You have signed in with a link.');
});

test('the invitation of somebody who has a password is no way around it', async () => {
  await enrol(dashboard, 'home', 'eve@home.example');
  const link = await inviteTo(dashboard, 'foreign', 'eve@home.example', 'viewer');
  const inviter = dashboard.browser();
  expect((await inviter.get(link, { 'Accept-Language': 'en' })).text).toContain(
    'Sign in as eve@home.example first.',
  );
  expect(await inviter.post(link)).toMatchObject({ status: 403 });
  expect(inviter.cookies.has('session')).toBe(false);
  const person = await dashboard.accounts.findPersonByEmail('eve@home.example');
  expect(person?.memberships).toEqual([{ accountId: 'home', role: 'owner' }]);
});

test('somebody who has left every account joins by an invitation, then signs in with the old password', async () => {
  const email = 'back@acme.example';
  await enrol(dashboard, 'left', email);
  const person = await dashboard.accounts.findPersonByEmail(email);
  await dashboard.accounts.removeMembership(person?.id ?? '', 'left');
  const browser = dashboard.browser();
  const link = await inviteTo(dashboard, 'returned', email, 'viewer');
  await browser.get(link);
  expect(await browser.post(link)).toMatchObject({ status: 303, location: '/sign-in' });
  expect(await browser.get('/keys')).toMatchObject({ status: 303 });
  await browser.get('/sign-in');
  expect(await browser.post('/sign-in', { email, password: testPassword })).toMatchObject({ location: '/' });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
});

test('somebody who is signed in accepts a further invitation', async () => {
  const browser = await enrol(dashboard, 'first', 'both@first.example');
  await addPasskey(dashboard, browser);
  const link = await inviteTo(dashboard, 'second', 'both@first.example', 'viewer');
  await browser.get(link);
  expect(await browser.post(link)).toMatchObject({ status: 303, location: '/' });
  const person = await dashboard.accounts.findPersonByEmail('both@first.example');
  expect(person?.memberships.map(({ accountId }) => accountId)).toEqual(['first', 'second']);
  expect((await browser.get('/keys')).text).toContain('<option value="second" selected');
});

test('an owner cannot enrol an invited address that belongs to another account', async () => {
  const member = dashboard.browser();
  const link = await signInLink('victim', 'late@victim.example');
  await member.get(link);
  await member.post(link);
  const foreign = await inviteTo(dashboard, 'attacker', 'late@victim.example');
  const attacker = dashboard.browser();
  await attacker.get(foreign);
  expect(await attacker.post(foreign)).toMatchObject({ status: 403 });
  expect(attacker.cookies.has('session')).toBe(false);
});

test('a link replaces the session of the browser', async () => {
  const browser = await enrol(dashboard, 'swap', 'old@swap.example');
  const before = browser.cookies.get('session') ?? '';
  const link = await signInLink('swap', 'new@swap.example');
  await browser.get(link);
  await browser.post(link);
  expect(browser.cookies.get('session')).not.toBe(before);
  expect(await dashboard.accounts.findSession(hashSecret(before))).toBeUndefined();
});
