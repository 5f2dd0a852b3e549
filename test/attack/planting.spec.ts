import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { enrol, inviteTo, joinWith, optionsOf, signInWith } from '@jobs-delete/dashboard/testing/enrol';
import type { TestDashboard } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { TestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import {
  startTestOpenIdProvider,
  type TestOpenIdProvider,
} from '@jobs-delete/dashboard/testing/test-openid-provider';
import { startDashboardBeside, useScene } from '../dashboard/scene.ts';
import { authenticatorFor, invite, newAccount, removeMember } from './members.ts';

const scene = useScene();

const authenticator = () => authenticatorFor(scene.dashboard);
const victimEmail = 'victim@corp.example';

/** Expects that a browser reaches nothing of an account. */
async function expectOutside(browser: TestBrowser, accountId: string): Promise<void> {
  const page = await browser.get('/profile');
  expect(page.text).not.toContain(accountId);
  const { status, location = '' } = await browser.post('/account', { account: accountId });
  expect(status === 404 || location.startsWith('/sign-in')).toBe(true);
  expect((await browser.get('/keys')).text).not.toContain(accountId);
}

describe('an address planted in account A opens nothing of account B', () => {
  const fates = ['is removed there', 'stays a member there', 'is its owner and opens the link herself'];

  test.each(fates)('passkeys: the attacker %s', async (fate) => {
    const [a, b] = [newAccount('a'), newAccount('b')];
    const mallory = await enrol(scene.dashboard, a, 'mallory@a.example');
    const link = await invite(mallory, victimEmail);
    let planted = authenticator();
    if (fate === 'is its owner and opens the link herself') {
      planted = mallory.authenticator;
      await mallory.get(link);
      expect(await mallory.post(link)).toMatchObject({ status: 409 });
    } else expect(await joinWith(scene.dashboard.browser(), link, planted)).toMatchObject({ status: 303 });
    if (fate === 'is removed there') await removeMember(scene.dashboard, mallory, a, victimEmail);

    const boss = await enrol(scene.dashboard, b, 'boss@b.example');
    const invited = await invite(boss, victimEmail, 'owner');
    const before = scene.dashboard.browser();
    await signInWith(before, planted);
    const victim = authenticator();
    expect(await joinWith(scene.dashboard.browser(), invited, victim)).toMatchObject({ status: 303 });

    const after = scene.dashboard.browser();
    const isEnded = fate === 'is removed there';
    expect(await signInWith(after, planted)).toMatchObject({ status: isEnded ? 422 : 303 });
    expect(after.cookies.has('session')).toBe(!isEnded);
    for (const browser of [before, after]) await expectOutside(browser, b);
    expect((await scene.dashboard.accounts.listPeople(b)).map(({ passkeys }) => passkeys.length)).toEqual([
      1, 1,
    ]);
    const theirs = scene.dashboard.browser();
    expect(await signInWith(theirs, victim)).toMatchObject({ status: 303 });
    expect((await theirs.get('/keys')).text).toContain(b);
    expect((await theirs.get('/keys')).text).not.toContain(a);
  });

  describe('OpenID Connect', () => {
    let provider: TestOpenIdProvider;
    let foreign: TestOpenIdProvider;
    let corporate: TestDashboard;
    let elsewhere: TestDashboard;
    beforeAll(async () => {
      [provider, foreign] = [await startTestOpenIdProvider(), await startTestOpenIdProvider()];
      const startAt = ({ issuer, clientSecret }: TestOpenIdProvider) =>
        startDashboardBeside(scene.service, {
          OPENID_ISSUER: issuer,
          OPENID_CLIENT_ID: 'dashboard',
          OPENID_CLIENT_SECRET: clientSecret,
          LOG_LEVEL: 'fatal',
        });
      [corporate, elsewhere] = [await startAt(provider), await startAt(foreign)];
    });
    afterAll(async () => {
      await corporate.stop();
      await elsewhere.stop();
      await provider.stop();
      await foreign.stop();
    });
    const claimsOf = (sub: string) => ({ sub, email: victimEmail, email_verified: true });
    beforeEach(() => {
      foreign.claims = claimsOf('victim');
    });

    async function signInAs(subject: string, browser: TestBrowser, path = '/sign-in/openid') {
      provider.claims = claimsOf(subject);
      const { location = '' } = await browser.get(path);
      const answer = await fetch(location, { redirect: 'manual' });
      const { pathname, search } = new URL(answer.headers.get('Location') ?? '');
      return browser.get(pathname + search);
    }
    async function join(subject: string, link: string): Promise<TestBrowser> {
      const browser = corporate.browser();
      const { text } = await browser.get(link);
      const href = /id="openid-sign-in" href="([^"]+)"/.exec(text)?.[1] ?? '';
      const answer = await signInAs(subject, browser, href.replaceAll('&amp;', '&'));
      expect(answer).toMatchObject({ status: 303, location: '/overview?notice=joined' });
      return browser;
    }

    test.each(['is removed there', 'stays a member there'])(
      'the attacker with the same verified address %s',
      async (fate) => {
        const [a, b] = [newAccount('a'), newAccount('b')];
        const [mallory, planted, victim] = [a, `${a}-planted`, `${a}-victim`];
        const hers = await join(mallory, await inviteTo(scene.dashboard, a, 'mallory@a.example'));
        await join(planted, await invite(hers, victimEmail));
        if (fate === 'is removed there') await removeMember(scene.dashboard, hers, a, victimEmail);
        const boss = await join(`${a}-boss`, await inviteTo(scene.dashboard, b, 'boss@b.example'));
        await join(victim, await invite(boss, victimEmail, 'owner'));

        const browser = corporate.browser();
        const isEnded = fate === 'is removed there';
        expect(await signInAs(planted, browser)).toMatchObject({ status: isEnded ? 403 : 303 });
        await expectOutside(browser, b);
        const theirs = corporate.browser();
        expect(await signInAs(victim, theirs)).toMatchObject({ status: 303 });
        expect((await theirs.get('/keys')).text).toContain(b);
      },
    );

    test('the same subject of another issuer is nobody', async () => {
      const b = newAccount('b');
      await join('victim', await inviteTo(scene.dashboard, b, victimEmail));
      const browser = elsewhere.browser();
      const { location = '' } = await browser.get('/sign-in/openid');
      expect(location.startsWith(foreign.issuer)).toBe(true);
      const answer = await fetch(location, { redirect: 'manual' });
      const { pathname, search } = new URL(answer.headers.get('Location') ?? '');
      expect(await browser.get(pathname + search)).toMatchObject({ status: 403 });
      expect(browser.cookies.has('session')).toBe(false);
    });
  });
});

describe('the last membership ends the person', () => {
  test('neither a session nor a passkey works any more, also in a ceremony that has begun', async () => {
    const accountId = newAccount('ends');
    const owner = await enrol(scene.dashboard, accountId, 'owner@ends.example');
    const [first, second, late] = [
      scene.dashboard.browser(),
      scene.dashboard.browser(),
      scene.dashboard.browser(),
    ];
    const passkey = authenticator();
    const link = await invite(owner, 'ada@ends.example', 'owner');
    await joinWith(first, link, passkey);
    await signInWith(second, passkey);
    await late.get('/sign-in');
    const begun = passkey.get(optionsOf(await late.post('/sign-in/passkey/options')));
    await first.get('/profile');
    const adding = optionsOf(await first.post('/profile/passkeys/options'));
    await removeMember(scene.dashboard, owner, accountId, 'ada@ends.example');

    for (const browser of [first, second])
      expect(await browser.get('/keys')).toMatchObject({ status: 303, location: '/sign-in?next=%2Fkeys' });
    expect(await late.post('/sign-in/passkey', { response: begun })).toMatchObject({ status: 422 });
    await first.get('/sign-in');
    const response = authenticator().create(adding);
    expect(await first.post('/profile/passkeys', { response, name: 'x' })).toMatchObject({
      location: '/sign-in?next=%2Fprofile',
    });
    expect(await signInWith(late, passkey)).toMatchObject({ status: 422 });
    expect(late.cookies.has('session')).toBe(false);
  });

  test('a person with another membership keeps only that one', async () => {
    const [a, b] = [newAccount('a'), newAccount('b')];
    const owner = await enrol(scene.dashboard, a, 'owner@a.example');
    const other = await enrol(scene.dashboard, b, 'other@b.example');
    const link = await invite(owner, 'ada@a.example', 'owner');
    await other.get(link);
    await other.post(link);
    expect((await other.get('/keys')).text).toContain(a);
    await removeMember(scene.dashboard, owner, a, 'ada@a.example');
    expect(await other.get('/keys')).toMatchObject({ status: 303 });
    await signInWith(other, other.authenticator);
    expect((await other.get('/keys')).text).toContain(b);
    await expectOutside(other, a);
  });
});
