import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  addPasskey,
  enrol,
  inviteTo,
  joinWith,
  optionsOf,
  signInWith,
  type Enrolled,
} from '@jobs-delete/dashboard/testing/enrol';
import {
  createSoftwareAuthenticator,
  type CeremonyOptions,
} from '@jobs-delete/dashboard/testing/software-authenticator';
import type { TestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import { useScene } from '../dashboard/scene.ts';
import { dumpTables } from '../harness/dump-tables.ts';
import { authenticatorFor, newAccount } from './members.ts';

const scene = useScene();
let ada: Enrolled;
beforeAll(async () => {
  ada = await enrol(scene.dashboard, newAccount('ada'), 'ada@passkeys.example');
});
afterEach(() => {
  jest.restoreAllMocks();
});

const authenticator = () => authenticatorFor(scene.dashboard);

async function optionsAt(browser: TestBrowser, page: string, path: string): Promise<CeremonyOptions> {
  await browser.get(page);
  return optionsOf(await browser.post(path));
}
const signInOptions = (browser: TestBrowser) => optionsAt(browser, '/sign-in', '/sign-in/passkey/options');
const newPasskeyOptions = (browser: TestBrowser) =>
  optionsAt(browser, '/profile', '/profile/passkeys/options');

/** Expects that an assertion signs nobody in, and writes nothing. */
async function expectRefused(browser: TestBrowser, response: string): Promise<void> {
  await browser.get('/sign-in');
  const before = dumpTables(scene.service.dataDir);
  expect(await browser.post('/sign-in/passkey', { response })).toMatchObject({ status: 422 });
  expect(browser.cookies.has('session')).toBe(false);
  expect(dumpTables(scene.service.dataDir)).toBe(before);
}

const passkeysOf = async ({ authenticator: own }: Enrolled) => {
  const { id } = JSON.parse(own.get({ challenge: 'x' })) as { id: string };
  return (await scene.dashboard.accounts.findPersonByPasskey(id))?.passkeys ?? [];
};

/** Expects that the answer of an authenticator adds no passkey to the person of a browser. */
async function expectNotAdded(person: Enrolled, response: string): Promise<void> {
  const before = await passkeysOf(person);
  await person.get('/profile');
  const answer = await person.post('/profile/passkeys', { response, name: 'planted' });
  expect(answer.status).toBe(422);
  expect(await passkeysOf(person)).toEqual(before);
}

const laterMs = (ms: number) => {
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
};

describe('an assertion signs nobody in', () => {
  test('when it is replayed, by the same browser or another one', async () => {
    const person = await enrol(scene.dashboard, newAccount('replayed'), 'replayed@passkeys.example');
    const browser = scene.dashboard.browser();
    // As passkeys without a counter do.
    const response = person.authenticator.get(await signInOptions(browser), { counter: 0 });
    expect(await browser.post('/sign-in/passkey', { response })).toMatchObject({ status: 303 });
    const copied = scene.dashboard.browser();
    copied.cookies.set('browser', browser.cookies.get('browser') ?? '');
    browser.cookies.delete('session');
    for (const each of [browser, copied, scene.dashboard.browser()]) await expectRefused(each, response);
  });

  test('when two browsers send it at the same moment with one cookie: only once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [browser, copy] = [scene.dashboard.browser(), scene.dashboard.browser()];
      const response = ada.authenticator.get(await signInOptions(browser));
      copy.cookies.set('browser', browser.cookies.get('browser') ?? '');
      await copy.get('/sign-in');
      const both = [browser, copy];
      const answers = await Promise.all(both.map((each) => each.post('/sign-in/passkey', { response })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
      expect(both.filter(({ cookies }) => cookies.has('session'))).toHaveLength(1);
    }
  });

  test('with the challenge of another browser, of an attacker, or of an earlier time', async () => {
    const browser = scene.dashboard.browser();
    await expectRefused(browser, ada.authenticator.get(await signInOptions(scene.dashboard.browser())));
    await expectRefused(browser, ada.authenticator.get({ challenge: 'A'.repeat(72) }));
    const old = ada.authenticator.get(await signInOptions(browser));
    laterMs(5 * 60_000);
    await expectRefused(browser, old);
  });

  test('with the challenge for a new passkey', async () => {
    const challenge = await newPasskeyOptions(ada);
    const browser = scene.dashboard.browser();
    browser.cookies.set('browser', ada.cookies.get('browser') ?? '');
    await expectRefused(browser, ada.authenticator.get(challenge));
  });

  test.each(['http://evil.example', 'http://sub.localhost', 'https://localhost', 'http://localhost:1'])(
    'for the origin %s',
    async (origin) => {
      const browser = scene.dashboard.browser();
      await expectRefused(browser, ada.authenticator.get(await signInOptions(browser), { origin }));
    },
  );

  test('without verification of the user, or for another user', async () => {
    const browser = scene.dashboard.browser();
    const get = async (changes: object) => ada.authenticator.get(await signInOptions(browser), changes);
    await expectRefused(browser, await get({ isVerified: false }));
    await expectRefused(browser, await get({ userHandle: 'somebody' }));
  });

  test('signed by another passkey', async () => {
    const browser = scene.dashboard.browser();
    const { id } = JSON.parse(ada.authenticator.get({ challenge: 'x' })) as { id: string };
    const forged = JSON.parse(authenticator().get(await signInOptions(browser))) as object;
    await expectRefused(browser, JSON.stringify({ ...forged, id, rawId: id }));
  });

  test('whose counter goes back, as that of a copied passkey does', async () => {
    const person = await enrol(scene.dashboard, newAccount('counts'), 'counts@passkeys.example');
    const browser = scene.dashboard.browser();
    const response = person.authenticator.get(await signInOptions(browser), { counter: 9 });
    expect(await browser.post('/sign-in/passkey', { response })).toMatchObject({ status: 303 });
    for (const counter of [9, 8, 0]) {
      const other = scene.dashboard.browser();
      await expectRefused(other, person.authenticator.get(await signInOptions(other), { counter }));
    }
  });

  test('that no authenticator makes', async () => {
    for (const response of ['', '{}', 'null', '[]', '{"id":{"$gt":""}}', 'x'.repeat(60_000)])
      await expectRefused(scene.dashboard.browser(), response);
  });
});

describe('a new passkey is not added', () => {
  test('when its answer is replayed, also after the passkey was removed', async () => {
    const passkey = authenticator();
    const response = passkey.create(await newPasskeyOptions(ada));
    const sent = await ada.post('/profile/passkeys', { response, name: 'second' });
    expect(sent).toMatchObject({ status: 303 });
    await expectNotAdded(ada, response);
    const second = (await passkeysOf(ada)).find(({ name }) => name === 'second');
    await ada.get('/profile');
    await ada.post('/profile/passkeys/remove', { passkey: second?.id ?? '' });
    expect(await passkeysOf(ada)).toHaveLength(1);
    await expectNotAdded(ada, response);
    const browser = scene.dashboard.browser();
    await expectRefused(browser, passkey.get(await signInOptions(browser)));
  });

  test('in the session of another person, also in the same browser', async () => {
    const other = await enrol(scene.dashboard, newAccount('other'), 'other@passkeys.example');
    const response = authenticator().create(await newPasskeyOptions(ada));
    await expectNotAdded(other, response);
    other.cookies.set('browser', ada.cookies.get('browser') ?? '');
    await expectNotAdded(other, response);
  });

  test('when another person has it', async () => {
    const other = await enrol(scene.dashboard, newAccount('other'), 'other@passkeys.example');
    await expectNotAdded(other, ada.authenticator.create(await newPasskeyOptions(other)));
    const browser = scene.dashboard.browser();
    await signInWith(browser, ada.authenticator);
    expect((await browser.get('/profile')).text).toContain('ada@passkeys.example');
    const link = await inviteTo(scene.dashboard, newAccount('taken'), 'taken@passkeys.example');
    const answer = await joinWith(scene.dashboard.browser(), link, ada.authenticator);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain(`href="/sign-in?next=${encodeURIComponent(link)}"`);
  });

  test('with the challenge of another purpose, origin or time', async () => {
    await expectNotAdded(ada, authenticator().create(await signInOptions(ada)));
    const foreign = createSoftwareAuthenticator('http://evil.example');
    await expectNotAdded(ada, foreign.create(await newPasskeyOptions(ada)));
    const old = authenticator().create(await newPasskeyOptions(ada));
    laterMs(5 * 60_000);
    await expectNotAdded(ada, old);
  });

  test('with the challenge of another invitation', async () => {
    const account = newAccount('links');
    const [one, two] = [
      await inviteTo(scene.dashboard, account, 'one@passkeys.example', 'viewer'),
      await inviteTo(scene.dashboard, account, 'two@passkeys.example'),
    ];
    const browser = scene.dashboard.browser();
    const response = authenticator().create(await optionsAt(browser, one, `${one}/options`));
    expect(await browser.post(`${two}/passkey`, { response })).toMatchObject({ status: 422 });
    expect(await scene.dashboard.accounts.listPeople(account)).toEqual([]);
  });
});

test('a removed passkey ends the other sessions, and signs nobody in', async () => {
  const person = await enrol(scene.dashboard, newAccount('lost'), 'lost@passkeys.example');
  const stolen = await addPasskey(scene.dashboard, person);
  const thief = scene.dashboard.browser();
  expect(await signInWith(thief, stolen)).toMatchObject({ status: 303 });
  const [, second] = await passkeysOf(person);
  await person.get('/profile');
  await person.post('/profile/passkeys/remove', { passkey: second?.id ?? '' });
  expect(await thief.get('/keys')).toMatchObject({ status: 303, location: '/sign-in?next=%2Fkeys' });
  expect(await signInWith(thief, stolen)).toMatchObject({ status: 422 });
});
