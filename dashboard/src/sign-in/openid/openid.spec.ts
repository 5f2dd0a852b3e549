import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { inviteTo } from '../../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../../testing/start-test-dashboard.ts';
import type { TestAnswer, TestBrowser } from '../../testing/test-browser.ts';
import { startTestOpenIdProvider, type TestOpenIdProvider } from '../../testing/test-openid-provider.ts';

let provider: TestOpenIdProvider;
let dashboard: TestDashboard;
beforeAll(async () => {
  provider = await startTestOpenIdProvider();
  dashboard = await startTestDashboard({
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: 'dashboard',
    OPENID_CLIENT_SECRET: provider.clientSecret,
    OPENID_GROUP: 'staff',
    LOG_LEVEL: 'fatal',
  });
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});
const claims = (subject: string) => ({ sub: subject, groups: ['staff'], email: 'ada@corp.example' });
beforeEach(() => {
  provider.claims = claims('ada');
  provider.hasForeignKey = false;
});

/** Follows a link to the provider. Returns the path of the callback. */
async function atProvider(browser: TestBrowser, path: string): Promise<string> {
  const { location = '' } = await browser.get(path);
  expect(location.startsWith(provider.issuer)).toBe(true);
  const answer = await fetch(location, { redirect: 'manual' });
  const { pathname, search } = new URL(answer.headers.get('Location') ?? '');
  return pathname + search;
}

async function signIn(browser: TestBrowser, path = '/sign-in/openid?next=%2Fkeys'): Promise<TestAnswer> {
  return browser.get(await atProvider(browser, path));
}

/** Joins as the page of an invitation does. */
async function join(browser: TestBrowser, link: string): Promise<TestAnswer> {
  const { text } = await browser.get(link);
  const href = /id="openid-sign-in" href="([^"]+)"/.exec(text)?.[1] ?? '';
  return signIn(browser, href.replaceAll('&amp;', '&'));
}

test('an invited person joins at the provider, and signs in there later', async () => {
  const link = await inviteTo(dashboard, 'acme', 'ada@acme.example', 'viewer');
  const browser = dashboard.browser();
  expect(await join(browser, link)).toMatchObject({ status: 303, location: '/keys?notice=joined' });
  const later = dashboard.browser();
  expect(await signIn(later)).toMatchObject({ status: 303, location: '/keys' });
  expect((await later.get('/keys')).text).toContain('ada@acme.example');
  const [person] = await dashboard.accounts.listPeople('acme');
  expect(person).toMatchObject({ openId: { issuer: provider.issuer, subject: 'ada' }, passkeys: [] });
});

test('only the provider signs in: there is no route for passkeys', () => {
  const paths = dashboard.routes.map(({ path }) => path);
  expect(paths.filter((path) => path.includes('passkey'))).toEqual([]);
});

test.each<[string, Record<string, unknown>]>([
  ['a wrong issuer', { iss: 'https://evil.example' }],
  ['a wrong audience', { aud: 'other' }],
  ['a wrong nonce', { nonce: 'x' }],
  ['an expired token', { exp: 1 }],
  ['an old sign-in', { auth_time: 1 }],
  ['a person outside the group', { groups: ['guests'] }],
  ['no group', { groups: undefined }],
  ['a group that only contains the name', { groups: 'staff' }],
])('%s is refused', async (_, wrong) => {
  provider.claims = { ...claims('ada'), ...wrong };
  const browser = dashboard.browser();
  expect(await signIn(browser)).toMatchObject({ status: 403 });
  expect(browser.cookies.has('session')).toBe(false);
});

test('a token with a foreign signature is refused', async () => {
  provider.hasForeignKey = true;
  expect(await signIn(dashboard.browser())).toMatchObject({ status: 403 });
});

test('an answer works once, in the browser that has asked, with its state', async () => {
  const [browser, other] = [dashboard.browser(), dashboard.browser()];
  await join(browser, await inviteTo(dashboard, 'state', 'ada@state.example', 'viewer'));
  const callback = await atProvider(browser, '/sign-in/openid');
  await other.get('/sign-in');
  expect(await other.get(callback)).toMatchObject({ status: 403 });
  expect(await browser.get(callback.replace(/state=[\w-]{4}/, 'state=AAAA'))).toMatchObject({ status: 403 });
  expect(await browser.get('/sign-in/openid/callback?code=x')).toMatchObject({ status: 403 });
  expect(await browser.get(callback)).toMatchObject({ status: 303 });
  expect(await browser.get(callback)).toMatchObject({ status: 403 });
});

test('a link of another site begins no join, and a member confirms as nobody else', async () => {
  provider.claims = claims('bob');
  const link = await inviteTo(dashboard, 'forged', 'bob@forged.example');
  const secret = link.split('/').at(-1) ?? '';
  const browser = dashboard.browser();
  await browser.get('/sign-in');
  for (const csrf of ['', 'x'])
    expect(await browser.get(`/sign-in/openid?purpose=join&link=${secret}&csrf=${csrf}`)).toMatchObject({
      status: 403,
    });
  await join(browser, link);
  provider.claims = claims('ada');
  expect(await signIn(browser, '/sign-in/openid?purpose=again&next=%2Fpeople')).toMatchObject({
    status: 403,
  });
  provider.claims = claims('bob');
  expect(await signIn(browser, '/sign-in/openid?purpose=again&next=%2Fpeople')).toMatchObject({
    location: '/people',
  });
});
