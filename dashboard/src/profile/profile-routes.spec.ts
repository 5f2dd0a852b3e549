import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '@jobs-delete/accounts/people/new-id';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import {
  addFactor,
  addPasskey,
  enrol,
  optionsOf,
  originOf,
  recoveryCodesOf,
  signInWith,
  testPassword,
} from '../testing/enrol.ts';
import { createSoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

const english = { 'Accept-Language': 'en' };
const personOf = async (email: string) => {
  const person = await dashboard.accounts.findPersonByEmail(email);
  if (person === undefined) throw new Error(`nobody has the address ${email}`);
  return person;
};
const actionsIn = async (accountId: string) => {
  const entries = await dashboard.accounts.listActions({ accountId, pageSize: 50 });
  return entries.map(({ action, subject }) => (subject === undefined ? action : `${action} ${subject}`));
};
const age = async (browser: TestBrowser) => {
  const hash = hashSecret(browser.cookies.get('session') ?? '');
  await dashboard.accounts.changeSession(hash, { provenAtMs: Date.now() - 3_600_000 });
};

test('a new password ends the other sessions and works from then on', async () => {
  const browser = await enrol(dashboard, 'passwords', 'ada@passwords.example');
  const other = dashboard.browser();
  await signInWith(other, 'ada@passwords.example', testPassword);
  await browser.get('/profile');
  expect(await browser.post('/profile/password', { password: 'passwordpassword' })).toMatchObject({
    status: 422,
  });
  expect(await browser.post('/profile/password', { password: 'five boats under a bridge' })).toMatchObject({
    status: 303,
    location: '/profile?notice=password-changed',
  });
  expect(await browser.get('/profile')).toMatchObject({ status: 200 });
  expect(await other.get('/profile')).toMatchObject({ status: 303 });
  const signIn = (password: string) =>
    signInWith(dashboard.browser(), 'ada@passwords.example', password).then(({ status }) => status);
  expect([await signIn(testPassword), await signIn('five boats under a bridge')]).toEqual([422, 303]);
  expect(await actionsIn('passwords')).toContain('password.changed');
});

test.each([
  '/profile/password',
  '/profile/passkeys',
  '/profile/passkeys/remove',
  '/profile/totp',
  '/profile/totp/remove',
  '/profile/recovery-codes',
])('%s needs a recent sign-in', async (path) => {
  const browser = await enrol(dashboard, 'recent', `old${path.replaceAll('/', '-')}@recent.example`);
  await age(browser);
  const page = await browser.get('/profile', english);
  expect(page.text).toContain('Confirm that it is you');
  expect(page.text).not.toContain('id="add-passkey"');
  expect(await browser.post(path, { password: 'five boats under a bridge' })).toMatchObject({
    status: 303,
    location: '/sign-in/again?next=%2Fprofile',
  });
});

test('somebody who signed in with a link adds the first passkey without another proof', async () => {
  const browser = await dashboard.signIn('linked', 'owner', { provenAtMs: Date.now() - 3_600_000 });
  await addPasskey(dashboard, browser);
  expect((await personOf(browser.person.email)).passkeys).toHaveLength(1);
  expect(await browser.post('/profile/password', { password: testPassword })).toMatchObject({
    location: '/sign-in/again?next=%2Fprofile',
  });
});

test('passkeys are listed and removed, but not the only way to sign in', async () => {
  const browser = await dashboard.signIn('keyed', 'viewer');
  await addPasskey(dashboard, browser, 'phone <b>');
  const [passkey] = (await personOf(browser.person.email)).passkeys;
  expect((await browser.get('/profile')).text).toContain('phone &lt;b>');
  const remove = () => browser.post('/profile/passkeys/remove', { passkey: passkey?.id ?? '' });
  expect(await remove()).toMatchObject({ status: 422 });

  await browser.post('/profile/password', { password: testPassword });
  await browser.get('/profile');
  expect(await remove()).toMatchObject({ status: 303, location: '/profile?notice=passkey-removed' });
  expect(await remove()).toMatchObject({ status: 404 });
  expect((await personOf(browser.person.email)).passkeys).toEqual([]);
  expect(await actionsIn('keyed')).toEqual(
    expect.arrayContaining(['passkey.added phone <b>', 'passkey.removed phone <b>']),
  );
});

test('a passkey is added only with the challenge for this person, and once', async () => {
  const browser = await enrol(dashboard, 'acme', 'bind@acme.example');
  const other = await enrol(dashboard, 'acme', 'other@acme.example');
  await other.get('/profile');
  const foreign = optionsOf(await other.post('/profile/passkeys/options'));
  const authenticator = createSoftwareAuthenticator(originOf(dashboard));
  await browser.get('/profile');
  const add = (response: string) => browser.post('/profile/passkeys', { response });
  expect(await add(authenticator.create(foreign))).toMatchObject({ status: 422 });
  const response = authenticator.create(optionsOf(await browser.post('/profile/passkeys/options')));
  expect(await add(response)).toMatchObject({ status: 303 });
  expect(await add(response)).toMatchObject({ status: 422 });
  const twice = authenticator.create(optionsOf(await browser.post('/profile/passkeys/options')));
  expect(await add(twice)).toMatchObject({ status: 422 });
});

test('an authenticator app is set up by a picture or a text, and confirmed by a code', async () => {
  const browser = await enrol(dashboard, 'factors', 'fay@factors.example');
  const page = await browser.get('/profile/totp', english);
  expect(page.text).toContain('<svg');
  expect(page.text.length).toBeLessThan(60_000);
  const sealed = /name="sealed" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  for (const fields of [
    { sealed, code: '000000' },
    { sealed: 'AAAA', code: '000000' },
  ])
    expect(await browser.post('/profile/totp', fields)).toMatchObject({ status: 422 });
  expect((await personOf('fay@factors.example')).totp).toBeUndefined();

  const { recoveryCodes } = await addFactor(browser);
  expect(recoveryCodes).toHaveLength(10);
  expect((await browser.get('/profile', english)).text).toContain('Unused recovery codes: 10.');
  const stored = JSON.stringify(await personOf('fay@factors.example'));
  for (const code of recoveryCodes) expect(stored).not.toContain(code);

  const renewed = recoveryCodesOf(await browser.post('/profile/recovery-codes'));
  expect(renewed).toHaveLength(10);
  expect(renewed).not.toEqual(expect.arrayContaining([recoveryCodes[0]]));
  await browser.get('/profile');
  expect(await browser.post('/profile/totp/remove')).toMatchObject({
    location: '/profile?notice=second-factor-removed',
  });
  expect(await personOf('fay@factors.example')).toMatchObject({ recoveryCodes: [] });
  expect(await actionsIn('factors')).toEqual(
    expect.arrayContaining(['second-factor.added authenticator app', 'second-factor.removed']),
  );
});

test('a secret of another session sets up no authenticator app', async () => {
  const attacker = await enrol(dashboard, 'acme', 'attacker@acme.example');
  const { text } = await attacker.get('/profile/totp');
  const sealed = /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const browser = await enrol(dashboard, 'acme', 'target@acme.example');
  await browser.get('/profile', english);
  const answer = await browser.post('/profile/totp', { sealed, code: '000000' });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('The page has expired.');
});

test('sessions are listed with their browser and end one by one', async () => {
  const browser = await enrol(dashboard, 'sessions', 'sam@sessions.example');
  const other = dashboard.browser();
  await signInWith(other, 'sam@sessions.example', testPassword);
  const { id } = await personOf('sam@sessions.example');
  const sessions = await dashboard.accounts.listSessions(id);
  const otherId = sessions.find(({ hash }) =>
    hash.equals(hashSecret(other.cookies.get('session') ?? '')),
  )?.id;
  const page = await browser.get('/profile', english);
  expect(page.text).toContain('127.0.0.1');
  expect(page.text).toContain('this browser');

  expect(await browser.post('/profile/sessions/end', { session: otherId ?? '' })).toMatchObject({
    location: '/profile?notice=session-ended',
  });
  expect(await other.get('/profile')).toMatchObject({ status: 303, location: '/sign-in?next=%2Fprofile' });
  expect(await browser.post('/profile/sessions/end', { session: otherId ?? '' })).toMatchObject({
    status: 404,
  });
  expect(await actionsIn('sessions')).toContain(`session.ended ${otherId ?? ''}`);
});

test('a session that ended 30 days after its sign-in is not listed', async () => {
  const browser = await dashboard.signIn('acme', 'viewer');
  const old = { ...browser.session, hash: randomBytes(32), id: newId() };
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await dashboard.accounts.addSession({ ...old, createdAtMs: Date.now() - 30 * 86_400_000, userAgent });
  expect((await browser.get('/profile')).text).not.toContain('Firefox');
});

test('nobody ends the session of another person', async () => {
  const browser = await enrol(dashboard, 'acme', 'nosy@acme.example');
  const other = await dashboard.signIn('acme', 'owner');
  await browser.get('/profile');
  expect(await browser.post('/profile/sessions/end', { session: other.session.id })).toMatchObject({
    status: 404,
  });
  expect(await other.get('/profile')).toMatchObject({ status: 200 });
});

test('all other sessions end at once, and the own session signs out', async () => {
  const browser = await enrol(dashboard, 'acme', 'many@acme.example');
  const others = [dashboard.browser(), dashboard.browser()];
  for (const other of others) await signInWith(other, 'many@acme.example', testPassword);
  await browser.get('/profile');
  await browser.post('/profile/sessions/end-others');
  for (const other of others) expect(await other.get('/profile')).toMatchObject({ status: 303 });

  const { id } = await personOf('many@acme.example');
  const [own] = await dashboard.accounts.listSessions(id);
  expect(await browser.post('/profile/sessions/end', { session: own?.id ?? '' })).toMatchObject({
    location: '/sign-in?notice=signed-out',
  });
  expect(browser.cookies.has('session')).toBe(false);
});
