import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { addPasskey, enrol, inviteTo, joinWith, optionsOf, originOf, signInWith } from '../testing/enrol.ts';
import { createSoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

const english = { 'Accept-Language': 'en' };
const authenticator = () => createSoftwareAuthenticator(originOf(dashboard));
const trailOf = async (accountId: string) =>
  (await dashboard.accounts.listActions({ accountId, pageSize: 50 })).map(({ action, subject }) =>
    subject === undefined ? action : `${action} ${subject}`,
  );
const age = (browser: TestBrowser) =>
  dashboard.accounts.changeSession(hashSecret(browser.cookies.get('session') ?? ''), {
    provenAtMs: Date.now() - 3_600_000,
  });

async function signInLink(accountId: string, personId: string, { accounts } = dashboard): Promise<string> {
  const secret = newSecret();
  const expiresAtMs = Date.now() + 86_400_000;
  const hash = hashSecret(secret);
  await accounts.addOneTimeSecret({
    kind: 'sign-in',
    hash,
    expiresAtMs,
    data: { accountId, personId },
  });
  return `/link/${secret}`;
}

test('an invited person joins with a new passkey, and signs in with it later', async () => {
  const link = await inviteTo(dashboard, 'join', 'ada@join.example', 'manager');
  const [browser, passkey] = [dashboard.browser(), authenticator()];
  const invitation = (await browser.get(link, english)).text;
  const invites = 'The operator of the service invites you to the account join as a manager.';
  expect(invitation).toContain(`<strong>${invites}</strong> A manager creates keys`);
  const signInFirst = `href="/sign-in?next=${encodeURIComponent(link)}">Sign in, then join</a>`;
  expect(invitation).toContain(`<a class="button quiet" ${signInFirst}`);
  expect(await joinWith(browser, link, passkey)).toMatchObject({
    status: 303,
    location: '/overview?notice=joined',
  });
  expect((await browser.get('/keys')).text).toContain('ada@join.example');
  expect((await trailOf('join')).toSorted()).toEqual([
    'person.joined ada@join.example: manager',
    'signed-in passkey',
  ]);
  await browser.get('/keys');
  await browser.post('/sign-out');
  expect(await signInWith(browser, passkey)).toMatchObject({ status: 303, location: '/' });
  expect(await browser.get('/keys')).toMatchObject({ status: 200 });
  expect(await dashboard.browser().get(link)).toMatchObject({ status: 404 });
});

test('somebody without a passkey learns how to get one, and is not asked for it', async () => {
  const guest = await dashboard.signIn('passkeyless', 'manager');
  const { text } = await guest.get('/sign-in/again?next=/a/passkeyless/domains/new', english);
  expect(text).toContain('ask the operator of the service for a new sign-in link');
  expect(text).toContain('">Continue after the sign-in</a>');
  expect(text).not.toContain('Sign in with a passkey');
});

test.each([
  ['owner', '/people/invite', '<strong>Invite a person</strong>', '/people'],
  ['owner', '/domains/new?x=1', '<strong>', '/domains'],
  ['viewer', '/people/invite', 'The next page needs a sign-in', '/people'],
  ['owner', '/keys', 'The next page needs a sign-in', '/keys'],
  ['owner', '/keys/token/a1/revoke', 'The next page needs a sign-in', '/keys/token/a1'],
  ['owner', '/sign-in/continue', 'The next page needs a sign-in', '/overview'],
] as const)(
  'a sign-in of the %s before %s names the change, and can be left',
  async (role, path, text, back) => {
    const member = await dashboard.signIn('named', role);
    const again = (next: string) =>
      member.get(`/a/named/sign-in/again?next=${encodeURIComponent(next)}`, english);
    const page = await again(`/a/named${path}`);
    expect(page.text).toContain(text);
    expect(page.text).toContain(`href="/a/named${back}">Cancel</a>`);
    const foreign = await again(`/a/other${path}`);
    expect(foreign.text).toContain('The next page needs a sign-in');
    expect(foreign.text).toContain('href="/a/named/overview">Cancel</a>');
  },
);

test('the sign-in says that a session has ended to its browser only, and not after signing out', async () => {
  const ended = 'Your session has ended.';
  const pageOf = async (browser: TestBrowser) => {
    const { target } = await browser.get('/keys', english);
    return (await browser.get(target ?? '', english)).text;
  };
  expect(await pageOf(dashboard.browser())).not.toContain(ended);
  const idle = await dashboard.signIn('ended', 'viewer', { lastSeenAtMs: 0 });
  expect(await pageOf(idle)).toContain(ended);
  const leaving = await dashboard.signIn('ended', 'owner');
  await leaving.get('/keys');
  await leaving.post('/sign-out');
  expect((await leaving.get('/sign-in', english)).text).not.toContain(ended);
});

test('opening a link uses and writes nothing', async () => {
  const link = await inviteTo(dashboard, 'looks', 'ada@looks.example');
  for (let visit = 0; visit < 3; visit += 1)
    expect(await dashboard.browser().get(link)).toMatchObject({ status: 200 });
  const browser = dashboard.browser();
  await browser.get(link);
  expect(await browser.post(link)).toMatchObject({ status: 303, location: link });
  expect(browser.cookies.has('session')).toBe(false);
  expect(await dashboard.accounts.listPeople('looks')).toEqual([]);
});

test('a sign-in link works once, for the person whom the operator chose', async () => {
  const { person } = await dashboard.signIn('linked', 'owner');
  const link = await signInLink('linked', person.id);
  const browser = dashboard.browser();
  const english = { 'Accept-Language': 'en' };
  expect((await browser.get(link, english)).text).toMatch(
    new RegExp(
      `<dt>Signs in as</dt><dd>owner-${person.id}@linked.example \\(Owner\\)</dd><dt>Valid until</dt><dd><time `,
    ),
  );
  expect(await browser.post(link)).toMatchObject({ status: 303, location: '/overview' });
  expect((await browser.get('/overview', english)).text).toContain('You have no passkey');
  await addPasskey(dashboard, browser);
  expect((await browser.get('/overview', english)).text).not.toContain('You have no passkey');
  const dead = await browser.get(link, english);
  expect(dead.status).toBe(404);
  expect(dead.text).toContain(`signed in to linked as owner-${person.id}@linked.example`);
  expect(dead.text).toMatch(/<a class="button" href="\/a\/linked\/overview">/);
  expect(dead.text).not.toContain('sign in. Otherwise');
  const other = dashboard.browser();
  await other.get('/sign-in');
  expect(await other.post(link)).toMatchObject({ status: 404 });
});

test('a sign-in succeeds and logs that the old session of the browser could not be ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const lines: string[] = [];
  const logTo = { write: (line: string) => void lines.push(line) };
  const failing = await startTestDashboard({ DATA_DIR: folder }, { logTo });
  const database = openSqlite(join(folder, 'jobs-delete.db'), { name: 'test', migrations: [] });
  try {
    const browser = await failing.signIn('kept', 'owner');
    const old = browser.cookies.get('session');
    const link = await signInLink('kept', browser.person.id, failing);
    await browser.get(link);
    database.exec("CREATE TRIGGER keep BEFORE DELETE ON sessions BEGIN SELECT raise(ABORT, 'kept'); END");
    expect(await browser.post(link)).toMatchObject({ status: 303 });
    expect(browser.cookies.get('session')).not.toBe(old);
    expect(await browser.get('/profile')).toMatchObject({ status: 200 });
    expect(lines.join('')).toContain('the old session of a browser that signed in was not ended');
  } finally {
    database.close();
    await failing.stop();
    rmSync(folder, { recursive: true });
  }
});

test('a disabled account leaves its links usable', async () => {
  const owner = await dashboard.signIn('shut', 'owner');
  const outsider = await dashboard.signIn('open', 'owner');
  const signIn = await signInLink('shut', owner.person.id);
  const invitations = [
    await inviteTo(dashboard, 'shut', 'a@shut.example'),
    await inviteTo(dashboard, 'shut', 'b@shut.example'),
  ];
  const use = async () => {
    const browser = dashboard.browser();
    await browser.get(signIn, english);
    await outsider.get(invitations[1] ?? '');
    return [
      await browser.post(signIn),
      await joinWith(dashboard.browser(), invitations[0] ?? '', authenticator()),
      await outsider.post(invitations[1] ?? ''),
    ];
  };
  await dashboard.accounts.changeAccount('shut', { disabledAtMs: Date.now() });
  expect((await use()).map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(await dashboard.accounts.listPeople('shut')).toHaveLength(1);
  await dashboard.accounts.changeAccount('shut', { disabledAtMs: null });
  expect((await use()).map(({ status }) => status)).toEqual([303, 303, 303]);
});

test('a person at the limit of forms leaves links usable', async () => {
  const owner = await dashboard.signIn('limited', 'owner');
  const signIn = await signInLink('limited', owner.person.id);
  const invitation = await inviteTo(dashboard, 'elsewhere', 'ada@elsewhere.example');
  for (let sent = 0; sent <= 300; sent += 1) await owner.post('/profile/sessions/end-others');
  const browser = dashboard.browser();
  const use = async () => {
    await browser.get(signIn);
    await owner.get(invitation);
    return [await browser.post(signIn), await owner.post(invitation)];
  };
  expect((await use()).map(({ status }) => status)).toEqual([429, 429]);
  expect(browser.cookies.has('session')).toBe(false);
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 16 * 60_000);
  try {
    expect((await use()).map(({ status }) => status)).toEqual([303, 303]);
  } finally {
    clock.mockRestore();
  }
});

test('a passkey is refused without a fresh challenge of this browser, the right origin and verification', async () => {
  const { authenticator: passkey } = await enrol(dashboard, 'strict', 'ada@strict.example');
  const browser = dashboard.browser();
  const options = async (from = browser) => {
    await from.get('/sign-in');
    return optionsOf(await from.post('/sign-in/passkey/options'));
  };
  const send = async (response: string) => (await browser.post('/sign-in/passkey', { response })).status;
  await browser.get('/sign-in');
  expect(await send(passkey.get(await options(dashboard.browser())))).toBe(422);
  expect(await send(passkey.get(await options(), { origin: 'http://evil.example' }))).toBe(422);
  expect(await send(passkey.get(await options(), { isVerified: false }))).toBe(422);
  expect(await send(passkey.get(await options(), { userHandle: 'somebody' }))).toBe(422);
  expect(await send(authenticator().get(await options()))).toBe(422);
  const right = passkey.get(await options());
  const statuses = await Promise.all([send(right), send(right)]);
  expect(statuses.toSorted()).toEqual([303, 422]);
});

test('a removed person learns at the sign-in that an invitation is needed', async () => {
  const owner = await dashboard.signIn('removing', 'owner');
  const { authenticator: passkey } = await enrol(dashboard, 'removing', 'ada@removing.example');
  const people = await dashboard.accounts.listPeople('removing');
  const ada = people.find(({ id }) => id !== owner.person.id);
  await owner.post(`/people/${ada?.id ?? ''}/remove`);
  const { status, text } = await signInWith(dashboard.browser(), passkey);
  expect(status).toBe(422);
  expect(text).toMatch(/role="alert">No account has a member with this passkey\. .* an invitation\.</);
});

test('a sign-in replaces the session of the browser', async () => {
  const browser = await enrol(dashboard, 'renewed', 'ada@renewed.example');
  const old = browser.cookies.get('session') ?? '';
  const page = await browser.get('/sign-in/again', english);
  expect(page.text).toMatch(/<button>[^<]*<\/button><a [^>]*>Cancel<\/a><\/p><p class="hint">/);
  await signInWith(browser, browser.authenticator, '/sign-in/again/passkey');
  expect(browser.cookies.get('session')).not.toBe(old);
  expect(await dashboard.accounts.findSession(hashSecret(old))).toBeUndefined();
});

test('no other site is opened after the sign-in', async () => {
  const { authenticator: passkey } = await enrol(dashboard, 'safe', 'ada@safe.example');
  for (const next of ['https://evil.example/', '//evil.example', '/\\\\evil.example']) {
    const browser = dashboard.browser();
    await browser.get('/sign-in');
    const options = optionsOf(await browser.post('/sign-in/passkey/options'));
    const answer = await browser.post('/sign-in/passkey', { response: passkey.get(options), next });
    expect(answer).toMatchObject({ status: 303, location: '/' });
  }
});

test('confirming keeps the account of the session, and no other person confirms', async () => {
  const browser = await enrol(dashboard, 'a-first', 'ada@first.example');
  const link = await inviteTo(dashboard, 'z-second', 'ada@second.example');
  const { text } = await browser.get(link, english);
  expect(text).toContain('You are signed in as ada@first.example (a-first). You join with the same sign-in.');
  expect(text).toContain('The account z-second shows you as ada@second.example.');
  await browser.post(link);
  await age(browser);
  expect(await browser.get('/people/invite')).toMatchObject({
    status: 303,
    location: '/sign-in/again?next=%2Fpeople%2Finvite',
  });
  const outsider = await enrol(dashboard, 'z-second', 'other@second.example');
  expect(await signInWith(browser, outsider.authenticator, '/sign-in/again/passkey')).toMatchObject({
    status: 422,
  });
  expect(await signInWith(browser, browser.authenticator, '/sign-in/again/passkey')).toMatchObject({
    status: 303,
  });
  expect((await browser.get('/people')).text).toContain('value="z-second" aria-current="true"');
});

test('the times of a person show only in the account that they were for', async () => {
  const browser = await enrol(dashboard, 'a-mine', 'ada@mine.example');
  const link = await inviteTo(dashboard, 'z-other', 'ada@other.example');
  await browser.get(link);
  await browser.post(link);
  const before = await trailOf('z-other');
  const again = dashboard.browser();
  await signInWith(again, browser.authenticator);
  await addPasskey(dashboard, again);
  await again.get('/keys');
  await again.post('/sign-out');
  expect(await trailOf('z-other')).toEqual(before);
  expect(before).toEqual(['person.joined ada@other.example: owner']);
});
