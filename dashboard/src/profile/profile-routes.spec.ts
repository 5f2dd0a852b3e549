import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '@jobs-delete/accounts/people/people';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { addPasskey, enrol, optionsOf, originOf, signInWith } from '../testing/enrol.ts';
import { createSoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { fieldOf } from '../testing/read-page.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

const english = { 'Accept-Language': 'en' };
/** Returns the person whose session a browser has. */
const personOf = async (browser: TestBrowser) => {
  const session = await dashboard.accounts.findSession(hashSecret(browser.cookies.get('session') ?? ''));
  const person = await dashboard.accounts.findPerson(session?.personId ?? '');
  if (person === undefined) throw new Error('the browser has no session');
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

test.each(['/profile/passkeys/options', '/profile/passkeys', '/profile/passkeys/remove'])(
  '%s needs a recent sign-in',
  async (path) => {
    const browser = await enrol(dashboard, 'recent', `old${path.replaceAll('/', '-')}@recent.example`);
    await age(browser);
    const page = await browser.get('/profile', english);
    expect(page.text).toContain('Confirm that it is you');
    expect(page.text).not.toContain('id="add-passkey"');
    expect(await browser.post(path)).toMatchObject({
      status: 303,
      location: '/sign-in/again?next=%2Fprofile',
    });
    await browser.get('/sign-in/again');
    expect(await signInWith(browser, browser.authenticator, '/sign-in/again/passkey')).toMatchObject({
      status: 303,
    });
    expect((await browser.get('/profile')).text).toContain('id="add-passkey"');
  },
);

test('passkeys are listed and removed, but not the last one', async () => {
  const browser = await enrol(dashboard, 'keyed', 'kay@keyed.example');
  const { text } = await browser.get('/profile', english);
  expect(text).toContain('Add a second passkey');
  expect(text).not.toContain('/profile/passkeys/remove');
  const removed = await addPasskey(dashboard, browser, 'phone <b>');
  const [laptop, phone] = (await personOf(browser)).passkeys;
  expect((await browser.get('/profile')).text).toContain('phone &lt;b>');
  const remove = (id = '') => browser.post('/profile/passkeys/remove', { passkey: id });
  expect(await remove(phone?.id)).toMatchObject({ status: 303, location: '/profile?notice=passkey-removed' });
  expect(await remove(phone?.id)).toMatchObject({ status: 404 });
  expect(await remove(laptop?.id)).toMatchObject({ status: 422 });
  expect((await personOf(browser)).passkeys).toMatchObject([{ id: laptop?.id }]);
  expect(await actionsIn('keyed')).toEqual(
    expect.arrayContaining(['passkey.added phone <b>', 'passkey.removed phone <b>']),
  );
  const again = await signInWith(browser, removed, '/sign-in/again/passkey');
  expect(again.status).toBe(422);
  expect(again.text).toContain('This passkey is no longer one of yours.');
});

/** Sends the form of a new passkey. */
async function addNamed(browser: TestBrowser, name: string, headers: Readonly<Record<string, string>> = {}) {
  const csrf = fieldOf(await browser.get('/profile'), 'csrf');
  const authenticator = createSoftwareAuthenticator(originOf(dashboard));
  const response = authenticator.create(optionsOf(await browser.post('/profile/passkeys/options')));
  return browser.postRaw('/profile/passkeys', { csrf, response, name }, headers);
}

test.each(['a\u202eb', 'a\u2066b', 'a\u0085b', 'a\nb', 'x'.repeat(101)])(
  'the name %j of a passkey is refused',
  async (name) => {
    const browser = await enrol(dashboard, 'named', 'nan@named.example');
    expect(await addNamed(browser, name)).toMatchObject({ status: 422 });
    expect((await personOf(browser)).passkeys).toHaveLength(1);
  },
);

test('the names of passkeys are shown as they were typed', async () => {
  const browser = await enrol(dashboard, 'spelled', 'nan@spelled.example');
  for (const name of ['Zoës Schlüssel, groß', 'clé d’Élodie', 'llave de Begoña', '日本の鍵']) {
    expect(await addNamed(browser, name)).toMatchObject({ status: 303 });
    expect((await browser.get('/profile')).text).toContain(name);
  }
});

test('a passkey without a name gets that of the browser', async () => {
  const browser = await enrol(dashboard, 'unnamed', 'nan@unnamed.example');
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
  expect((await browser.get('/profile', { 'User-Agent': userAgent })).text).toContain(
    'value="Firefox, Linux"',
  );
  expect(await addNamed(browser, '', { 'User-Agent': userAgent })).toMatchObject({ status: 303 });
  expect((await personOf(browser)).passkeys).toMatchObject([{}, { name: 'Firefox, Linux' }]);
});

test('a person has at most 20 passkeys', async () => {
  const browser = await enrol(dashboard, 'hoard', 'max@hoard.example');
  for (let count = 1; count < 20; count += 1) await addPasskey(dashboard, browser);
  await expect(addPasskey(dashboard, browser)).rejects.toThrow('422');
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

test('sessions are listed with their browser and end one by one', async () => {
  const browser = await enrol(dashboard, 'sessions', 'sam@sessions.example');
  const other = dashboard.browser();
  await signInWith(other, browser.authenticator);
  const { id } = await personOf(browser);
  const sessions = await dashboard.accounts.listSessions(id);
  const otherId = sessions.find(({ hash }) =>
    hash.equals(hashSecret(other.cookies.get('session') ?? '')),
  )?.id;
  const page = await browser.get('/profile', english);
  expect(page.text).toContain('127.0.0.1');
  expect(page.text).toContain('this browser');
  const own = sessions.find((session) => session.id !== otherId);
  const buttons = page.text.matchAll(/name="session" value="(\w+)"\/?><button class="([^"]*)"/g);
  expect(new Map([...buttons].map(([, session, look]) => [session, look]))).toEqual(
    new Map([
      [own?.id, 'quiet'],
      [otherId, 'danger quiet'],
    ]),
  );

  expect(await browser.post('/profile/sessions/end', { session: otherId ?? '' })).toMatchObject({
    location: '/profile?notice=session-ended',
  });
  expect(await other.get('/profile')).toMatchObject({ status: 303, location: '/sign-in?next=%2Fprofile' });
  expect(await browser.post('/profile/sessions/end', { session: otherId ?? '' })).toMatchObject({
    status: 404,
  });
  expect(await actionsIn('sessions')).toContain(`session.ended ${otherId ?? ''}`);
});

test('language and time zone are settings of the profile, to which the other pages lead', async () => {
  const browser = await dashboard.signIn('settings', 'viewer');
  const forms = (text: string) => text.match(/action="[^"]*\/settings"/g) ?? [];
  expect(forms((await browser.get('/profile', english)).text)).toEqual([
    'action="/a/settings/profile/settings"',
  ]);
  const { text } = await browser.get('/keys', english);
  expect(forms(text)).toEqual([]);
  expect(text).toContain('<a href="/a/settings/profile#settings">English · Times in UTC</a>');
  expect(forms((await dashboard.browser().get('/sign-in', english)).text)).toHaveLength(1);
});

test('a text that names no time zone is refused and stays in the form', async () => {
  const browser = await dashboard.signIn('zones', 'viewer');
  await browser.get('/profile', english);
  const answer = await browser.post('/profile/settings', { language: 'fr', zone: 'Mars <b>' });
  expect(answer).toMatchObject({ status: 422 });
  expect(answer.text).toContain('id="zone-problem"');
  expect(answer.text).toContain('value="Mars &lt;b>"');
  expect(answer.text).toContain('<option value="fr" lang="fr" selected>');
  expect([browser.cookies.has('zone'), browser.cookies.has('language')]).toEqual([false, false]);
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
  for (const other of others) await signInWith(other, browser.authenticator);
  await browser.get('/profile');
  await browser.post('/profile/sessions/end-others');
  for (const other of others) expect(await other.get('/profile')).toMatchObject({ status: 303 });

  const before = await actionsIn('acme');
  await browser.post('/profile/sessions/end-others');
  expect(await actionsIn('acme')).toEqual(before);
  const { id } = await personOf(browser);
  const [own] = await dashboard.accounts.listSessions(id);
  expect(await browser.post('/profile/sessions/end', { session: own?.id ?? '' })).toMatchObject({
    location: '/sign-in?notice=signed-out',
  });
  expect(browser.cookies.has('session')).toBe(false);
});
