import { expect, test } from '@jest/globals';
import { inviteTo } from '../../testing/enrol.ts';
import { fieldOf } from '../../testing/read-page.ts';
import { atProvider, atTime, dashboard, follow, join, joinPath, provider, signIn } from './openid.fixture.ts';

const again = '/sign-in/openid?purpose=again&next=%2Fpeople';

test('nobody else confirms for a member', async () => {
  await join(dashboard.browser(), 'other', 'again');
  const browser = dashboard.browser();
  await join(browser, 'bob', 'again');
  expect(await signIn(browser, 'other', again)).toMatchObject({ status: 403 });
  expect(await signIn(browser, 'bob', again)).toMatchObject({ status: 303, location: '/people' });
});

test('the page that keeps a form leads to the provider only', async () => {
  const browser = dashboard.browser();
  await join(browser, 'late', 'kept');
  const csrf = fieldOf(await browser.get('/sandbox'), 'csrf');
  browser.cookies.delete('__Host-session');
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': 'en' };
  const { text } = await browser.postRaw('/a/kept/sandbox', { csrf, ids: 'Late0001' }, headers);
  expect(text).toContain('>Sign in with your organisation in a new tab</a>');
  expect(text).not.toMatch(/passkey/i);
});

test('a session that is open at the provider signs in, and does not confirm', async () => {
  const [browser, providerBrowser] = [dashboard.browser(), provider.browser()];
  const link = await inviteTo(dashboard, 'open', 'carol@open.example');
  const visitor = { name: 'carol', providerBrowser };
  const joining = await atProvider(browser, await joinPath(browser, link), visitor);
  expect(joining.prompts).toEqual(['login', 'consent']);
  await follow(browser, joining.callback);
  expect((await atProvider(browser, '/sign-in/openid', visitor)).prompts).toEqual([]);
  expect((await atProvider(browser, again, visitor)).prompts).toEqual(['login']);
});

test.each<[string, string, (request: URL) => void]>([
  [
    'dave',
    'without',
    ({ searchParams }) => ['prompt', 'max_age'].forEach((name) => searchParams.delete(name)),
  ],
  [
    'dora',
    'by an earlier',
    ({ searchParams }) => {
      searchParams.delete('prompt');
      searchParams.set('max_age', '900');
    },
  ],
])('%s, who confirms %s sign-in at the provider, is refused', async (name, _, change) => {
  const [browser, providerBrowser] = [dashboard.browser(), provider.browser()];
  const path = await joinPath(browser, await inviteTo(dashboard, name, `${name}@skip.example`));
  const visitor = { name, providerBrowser };
  await atTime(-60_000, async () => follow(browser, (await atProvider(browser, path, visitor)).callback));
  const session = browser.cookies.get('__Host-session');
  const { callback, prompts } = await atProvider(browser, again, { ...visitor, change });
  expect(prompts).toEqual([]);
  expect(await follow(browser, callback)).toMatchObject({ status: 403 });
  expect(browser.cookies.get('__Host-session')).toBe(session);
});

test('a sign-in counts as recent from the time at which the provider has seen the person', async () => {
  const [browser, providerBrowser] = [dashboard.browser(), provider.browser()];
  const link = await inviteTo(dashboard, 'seen', 'erin@seen.example');
  const path = await joinPath(browser, link);
  const visitor = { name: 'erin', providerBrowser };
  await atTime(-840_000, async () => follow(browser, (await atProvider(browser, path, visitor)).callback));
  const later = dashboard.browser();
  await follow(later, (await atProvider(later, '/sign-in/openid', visitor)).callback);
  expect(await later.get('/people/invite')).toMatchObject({ status: 200 });
  expect(await atTime(120_000, () => later.get('/people/invite'))).toMatchObject({
    location: '/sign-in/again?next=%2Fpeople%2Finvite',
  });
});
