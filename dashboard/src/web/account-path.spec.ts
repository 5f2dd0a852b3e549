import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Role } from '@jobs-delete/accounts/people/people';
import { enrol, inviteTo, optionsOf } from '../testing/enrol.ts';
import { expectSamePage, fieldOf } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { safePath } from './account-path.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startTestDashboard();
});
afterAll(() => dashboard.stop());

/** Returns the browser of an owner of the first account, and a member of the second. Its session is of the second one. */
async function ownerOf(first: string, second: string, role: Role = 'owner') {
  const owner = await dashboard.signIn(first, 'owner');
  const link = await inviteTo(dashboard, second, `owner@${second}.example`, role);
  await owner.get(link);
  expect(await owner.post(link)).toMatchObject({ target: `/a/${second}/overview?notice=joined` });
  return owner;
}

const namesOf = async (accountId: string) =>
  (await dashboard.accounts.listCredentials('token', accountId)).map(({ name }) => name);

test('a form acts on the account of its page, after another tab has switched to another one', async () => {
  const owner = await ownerOf('tab-one', 'tab-two');
  const page = await owner.get('/a/tab-one/keys/new');
  expect(page.text).toContain('action="/a/tab-one/keys/new"');
  expect(await owner.post('/account', { account: 'tab-two' })).toMatchObject({
    target: '/a/tab-two/overview',
  });
  const fields = {
    once: fieldOf(page, 'once'),
    create: 'token',
    name: 'shop',
    expiry: '90',
    environment: 'live',
  };
  expect(await owner.post('/a/tab-one/keys/new', fields)).toMatchObject({ status: 200 });
  expect([await namesOf('tab-one'), await namesOf('tab-two')]).toEqual([['shop'], []]);
});

test('the form of one account works in no other', async () => {
  const owner = await ownerOf('form-one', 'form-two');
  const once = fieldOf(await owner.get('/a/form-one/keys/new'), 'once');
  const fields = { once, create: 'token', name: 'shop', expiry: '90', environment: 'live' };
  expect(await owner.post('/a/form-two/keys/new', fields)).toMatchObject({ status: 422 });
  expect(await namesOf('form-two')).toEqual([]);
});

test('a link opens the other account of a person, with the role there', async () => {
  const person = await ownerOf('link-one', 'link-two', 'viewer');
  for (const [accountId, mayAdd] of [
    ['link-one', true],
    ['link-two', false],
  ] as const) {
    const { status, text } = await person.get(`/a/${accountId}/domains`);
    expect(status).toBe(200);
    expect(text).toContain(`<button name="account" value="${accountId}" aria-current="true"`);
    expect(text.includes(`/a/${accountId}/domains/new`)).toBe(mayAdd);
    expect((await person.get(`/a/${accountId}/domains/new`)).status).toBe(mayAdd ? 200 : 403);
  }
});

test('an account of others is as unknown as one that does not exist', async () => {
  const viewer = await dashboard.signIn('own', 'viewer');
  await dashboard.signIn('foreign', 'owner');
  const unknown = await viewer.get('/a/none/keys');
  expect(unknown.status).toBe(404);
  expectSamePage(unknown, await viewer.get('/a/foreign/keys'));
  expect((await viewer.postRaw('/a/foreign/domains/new', { csrf: fieldOf(unknown, 'csrf') })).status).toBe(
    404,
  );
});

test('an address without an account leads to the same page of the last account', async () => {
  const owner = await ownerOf('old-one', 'old-two');
  const open = async (path: string) => {
    const answer = await fetch(new URL(path, dashboard.url), {
      headers: { Cookie: `session=${owner.cookies.get('session') ?? ''}` },
      redirect: 'manual',
    });
    return [answer.status, answer.headers.get('Location')];
  };
  expect(await open('/keys/token?page=2')).toEqual([303, '/a/old-two/keys/token?page=2']);
  expect(await open('/')).toEqual([303, '/a/old-two/']);
  await owner.post('/account', { account: 'old-one' });
  expect(await open('/activity')).toEqual([303, '/a/old-one/activity']);
  expect(await open('/nowhere')).toEqual([404, null]);
});

test('a sign-in returns to the link, and opens the session of its account', async () => {
  const ada = await enrol(dashboard, 'first', 'ada@first.example');
  const link = await inviteTo(dashboard, 'second', 'ada@second.example');
  await ada.get(link);
  await ada.post(link);
  const browser = dashboard.browser();
  const { target = '' } = await browser.get('/a/second/people/invite');
  expect(target).toBe('/sign-in?next=%2Fa%2Fsecond%2Fpeople%2Finvite');
  const next = fieldOf(await browser.get(target), 'next');
  const options = optionsOf(await browser.post('/sign-in/passkey/options'));
  const response = ada.authenticator.get(options);
  expect(await browser.post('/sign-in/passkey', { response, next })).toMatchObject({
    target: '/a/second/people/invite',
  });
  const signIns = async (accountId: string) =>
    (await dashboard.accounts.listActions({ accountId, pageSize: 100 })).filter(
      ({ action }) => action === 'signed-in',
    ).length;
  expect([await signIns('first'), await signIns('second')]).toEqual([1, 1]);
});

test.each(['sign-in', 'keys', 'a', 'assets', 'account'])(
  'an account may have the id %s',
  async (accountId) => {
    const owner = await dashboard.signIn(accountId, 'owner');
    expect((await owner.get(`/a/${accountId}/keys`)).text).toContain(`href="/a/${accountId}/keys/new"`);
  },
);

test.each(['/', '/keys', '/activity?state=completed&day=2026-01-31'])('%s is a path', (path) => {
  expect(safePath(path)).toBe(path);
});

test.each([
  ['/keys?notice=key-revoked', '/keys'],
  ['/keys?%6eotice=key-revoked.1&a=1&notice', '/keys?a=1'],
])('%s loses its notice', (path, safe) => {
  expect(safePath(path)).toBe(safe);
});

test.each([
  null,
  '',
  'keys',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n',
])('%j leads to the first page', (text) => {
  expect(safePath(text)).toBe('/');
});
