import { beforeAll, describe, expect, test } from '@jest/globals';
import { enrol, inviteTo, optionsOf, type Enrolled } from '@jobs-delete/dashboard/testing/enrol';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { TestAnswer, TestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import { useScene } from '../dashboard/scene.ts';
import { dumpTables } from '../harness/dump-tables.ts';
import { newAccount } from './members.ts';

const scene = useScene();

const dump = () => dumpTables(scene.service.dataDir);
/** A later request does not record that the session was used. */
const signIn = (account = newAccount('flood')) =>
  scene.dashboard.signIn(account, 'owner', { lastSeenAtMs: Date.now() + 3_600_000 });
const trailOf = (accountId: string) => scene.dashboard.accounts.listActions({ accountId, pageSize: 1_000 });

/** Repeats a request, ten at a time. Returns how often each status came. */
async function repeat(times: number, send: () => Promise<TestAnswer>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let sent = 0; sent < times; sent += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const limit = 300;

describe('forms that change nothing write nothing', () => {
  test.each([
    ['/profile/sessions/end-others', 320, 303],
    ['/profile/passkeys/options', 320, 200],
  ] as const)(
    '%s %i times: the person gets 429 after 300, and others do not',
    async (path, times, status) => {
      const member = await signIn();
      await member.get('/profile');
      const before = dump();
      expect(await repeat(times, () => member.post(path))).toEqual({ [status]: limit, 429: times - limit });
      expect(dump()).toBe(before);
      const other = await signIn(member.session.accountId);
      expect(await other.post(path)).toMatchObject({ status });
    },
  );

  test('every other one counts for the same 300', async () => {
    const member = await signIn();
    await member.get('/profile');
    const before = dump();
    const forms: [string, number, Record<string, string>?][] = [
      ['/profile/sessions/end', 404, { session: 'none' }],
      ['/profile/passkeys', 422, { response: '{}' }],
      ['/profile/passkeys/remove', 404, { passkey: 'none' }],
      ['/sign-in/again/passkey', 422, { response: '{}' }],
      ['/keys/token/none/revoke', 404],
      ['/domains/new', 422, { domain: '=x' }],
      ['/people/invite', 422, { email: '=x', role: 'owner' }],
      ['/people/none/role', 404, { role: 'owner' }],
      ['/people/none/remove', 404],
      ['/people/withdraw', 404],
    ];
    for (const [path, status, fields] of forms)
      expect(await repeat(limit / forms.length, () => member.post(path, fields))).toEqual({
        [status]: limit / forms.length,
      });
    for (const [path, , fields] of forms)
      expect(await member.post(path, fields)).toMatchObject({ status: 429 });
    expect(dump()).toBe(before);
  });
});

describe('a visitor writes nothing', () => {
  test.each<[string, number, number, (browser: TestBrowser) => Promise<TestAnswer>]>([
    ['challenges', 100, 200, (browser) => browser.post('/sign-in/passkey/options')],
    ['new browsers', 100, 200, () => scene.dashboard.browser().get('/sign-in')],
    ['wrong passkeys', 100, 422, (browser) => browser.post('/sign-in/passkey', { response: '{}' })],
    ['guessed links', 100, 404, (browser) => browser.get(`/link/${'A'.repeat(43)}`)],
    ['languages', 100, 303, (browser) => browser.post('/settings', { language: 'fr' })],
  ])('by %s, %i times', async (_, times, status, send) => {
    const browser = scene.dashboard.browser();
    await browser.get('/sign-in');
    const before = dump();
    expect(await repeat(times, () => send(browser))).toEqual({ [status]: times });
    expect(dump()).toBe(before);
  });

  test('by challenges for an invitation, 100 times', async () => {
    const link = await inviteTo(scene.dashboard, newAccount('invited'), 'ada@flood.example');
    const browser = scene.dashboard.browser();
    await browser.get(link);
    const before = dump();
    expect(await repeat(100, () => browser.post(`${link}/options`))).toEqual({ 200: 100 });
    expect(dump()).toBe(before);
  });
});

describe('a person without writes left', () => {
  let person: Enrolled;
  let account: string;
  beforeAll(async () => {
    account = newAccount('flood');
    person = await enrol(scene.dashboard, account, 'ada@flood.example');
    const link = await inviteTo(scene.dashboard, newAccount('second'), 'ada@second.example');
    await person.get(link);
    expect(await person.post(link)).toMatchObject({ status: 303 });
    await person.get('/profile');
    await repeat(limit, () => person.post('/profile/sessions/end-others'));
  });

  test('writes nothing by a form that would change something', async () => {
    const once = fieldOf(await person.get('/keys/new'), 'once');
    const before = dump();
    expect(await person.post('/keys/new', { once, name: 'one more' })).toMatchObject({ status: 429 });
    expect(await person.post('/account', { account })).toMatchObject({ status: 429 });
    expect(dump()).toBe(before);
  });

  test('writes nothing by a sign-in with the right passkey', async () => {
    const browser = scene.dashboard.browser();
    await browser.get('/sign-in');
    const options = optionsOf(await browser.post('/sign-in/passkey/options'));
    const response = person.authenticator.get(options);
    const before = dump();
    expect(await browser.post('/sign-in/passkey', { response })).toMatchObject({ status: 429 });
    expect(dump()).toBe(before);
  });

  test('can still sign out', async () => {
    expect(await person.post('/sign-out')).toMatchObject({ location: '/sign-in?notice=signed-out' });
    expect(await person.get('/keys')).toMatchObject({ status: 303 });
  });
});

test('looking at every page writes nothing', async () => {
  const member: SignedInBrowser = await signIn();
  await scene.accept(member.session.accountId);
  await member.get('/keys');
  const before = dump();
  for (const { path, method } of scene.dashboard.routes)
    if (method === 'GET' && !path.includes(':') && !path.endsWith('/events'))
      expect((await member.get(path)).status).toBeLessThan(500);
  expect(dump()).toBe(before);
  expect(await trailOf(member.session.accountId)).toEqual([]);
});
