import { beforeAll, describe, expect, test } from '@jest/globals';
import { invitePerson } from '@jobs-delete/accounts/people/invitations';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { enrol, inviteTo, joinWith, optionsOf, type Enrolled } from '@jobs-delete/dashboard/testing/enrol';
import { fieldOf, textOf, withoutForms } from '@jobs-delete/dashboard/testing/read-page';
import type { TestAnswer, TestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import { useScene } from '../dashboard/scene.ts';
import { dumpTables } from '../harness/dump-tables.ts';
import { authenticatorFor, invite, newAccount, removeMember } from './members.ts';

const scene = useScene();

const authenticator = () => authenticatorFor(scene.dashboard);
const victimEmail = 'victim@corp.example';

describe('two posts of an invitation at the same moment', () => {
  interface Visitor {
    readonly browser: TestBrowser;
    readonly post: () => Promise<TestAnswer>;
  }

  async function withPasskey(link: string, browser = scene.dashboard.browser()): Promise<Visitor> {
    await browser.get(link);
    const response = authenticator().create(optionsOf(await browser.post(`${link}/options`)));
    return { browser, post: () => browser.post(`${link}/passkey`, { response, name: 'laptop' }) };
  }
  async function signedIn(link: string): Promise<Visitor> {
    const browser = await scene.dashboard.signIn(newAccount('own'), 'viewer');
    await browser.get(link);
    return { browser, post: () => browser.post(link) };
  }
  async function bare(link: string): Promise<Visitor> {
    const browser = scene.dashboard.browser();
    await browser.get(link);
    return { browser, post: () => browser.post(link) };
  }

  test.each<[string, (link: string) => Promise<readonly Visitor[]>]>([
    ['two new passkeys', (link) => Promise.all([withPasskey(link), withPasskey(link)])],
    [
      'two new passkeys of one browser',
      async (link) => {
        const first = await withPasskey(link);
        return [first, await withPasskey(link, first.browser)];
      },
    ],
    ['two signed-in people', (link) => Promise.all([signedIn(link), signedIn(link)])],
    ['a signed-in person and a new passkey', (link) => Promise.all([signedIn(link), withPasskey(link)])],
  ])('%s: exactly one joins', async (_, visit) => {
    for (let round = 0; round < 10; round += 1) {
      const account = newAccount('race');
      const visitors = await visit(await inviteTo(scene.dashboard, account, 'ada@race.example'));
      const answers = await Promise.all(visitors.map(({ post }) => post()));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
      expect(await scene.dashboard.accounts.listPeople(account)).toHaveLength(1);
      const trail = await scene.dashboard.accounts.listActions({ accountId: account, pageSize: 9 });
      expect(trail.filter(({ action }) => action === 'person.joined')).toHaveLength(1);
    }
  });

  test('without a proof, nobody joins and there is no session', async () => {
    const link = await inviteTo(scene.dashboard, newAccount('bare'), 'ada@bare.example');
    const visitors = await Promise.all([bare(link), bare(link), bare(link)]);
    const before = dumpTables(scene.service.dataDir);
    const answers = await Promise.all(visitors.map(({ post }) => post()));
    for (const answer of answers) expect(answer).toMatchObject({ status: 303, location: link });
    for (const { browser } of visitors) expect(browser.cookies.has('session')).toBe(false);
    expect(dumpTables(scene.service.dataDir)).toBe(before);
  });
});

describe('somebody else opens an invitation', () => {
  test('a person who is signed in joins as this person, and gets no passkey from it', async () => {
    const [a, b] = [newAccount('a'), newAccount('b')];
    const other = await enrol(scene.dashboard, a, 'other@a.example');
    const link = await inviteTo(scene.dashboard, b, victimEmail, 'manager');
    // The passkey form of the page is for visitors. Its answer makes a new person.
    await other.get(link);
    expect(await other.post(link)).toMatchObject({ status: 303 });
    const [person] = await scene.dashboard.accounts.listPeople(b);
    expect(person?.passkeys).toHaveLength(1);
    expect(person?.memberships.map(({ accountId }) => accountId).toSorted()).toEqual([a, b].toSorted());
    expect(await joinWith(scene.dashboard.browser(), link, authenticator())).toMatchObject({ status: 404 });
  });

  test('joining with an old sign-in does not confirm it', async () => {
    const other = await scene.dashboard.signIn(newAccount('a'), 'owner', {
      provenAtMs: Date.now() - 3_600_000,
    });
    const link = await inviteTo(scene.dashboard, newAccount('b'), victimEmail);
    await other.get(link);
    expect(await other.post(link)).toMatchObject({ status: 303 });
    const location = '/sign-in/again?next=%2Fpeople%2Finvite';
    expect(await other.get('/people/invite')).toMatchObject({ location });
  });

  test('the inviter does not use it up', async () => {
    const owner = await enrol(scene.dashboard, newAccount('own'), 'owner@own.example');
    const link = await invite(owner, victimEmail);
    await owner.get(link);
    expect(await owner.post(link)).toMatchObject({ status: 409 });
    expect(await joinWith(scene.dashboard.browser(), link, authenticator())).toMatchObject({ status: 303 });
  });
});

describe('a link that does not work joins nobody, and says the same as an unknown one', () => {
  let owner: Enrolled;
  let accountId: string;
  beforeAll(async () => {
    accountId = newAccount('links');
    owner = await enrol(scene.dashboard, accountId, 'owner@links.example');
  });

  const dead: Readonly<Record<string, () => Promise<string>>> = {
    used: async () => {
      const link = await invite(owner, 'used@links.example');
      await joinWith(scene.dashboard.browser(), link, authenticator());
      return link;
    },
    withdrawn: async () => {
      const link = await invite(owner, 'withdrawn@links.example');
      const { text } = await owner.get('/people');
      const [, invitation = ''] = /\?invitation=([0-9a-f]{24})"/.exec(text) ?? [];
      expect(await owner.post('/people/withdraw', { invitation })).toMatchObject({ status: 303 });
      return link;
    },
    expired: async () => {
      const invited = {
        accountId,
        email: 'late@links.example',
        role: 'owner',
        invitedBy: 'operator',
      } as const;
      const weekMs = 7 * 86_400_000;
      const invitation = await invitePerson(scene.dashboard.accounts, invited, () => Date.now() - weekMs);
      return `/link/${invitation.kind === 'invited' ? invitation.secret : ''}`;
    },
    'by a former owner': async () => {
      const former = scene.dashboard.browser();
      await joinWith(former, await invite(owner, 'former@links.example', 'owner'), authenticator());
      const link = await invite(former, 'friend@links.example', 'owner');
      await removeMember(scene.dashboard, owner, accountId, 'former@links.example');
      return link;
    },
    'of a removed member': async () => {
      const link = await invite(owner, 'gone@links.example', 'owner');
      await joinWith(scene.dashboard.browser(), await invite(owner, 'gone@links.example'), authenticator());
      await removeMember(scene.dashboard, owner, accountId, 'gone@links.example');
      return link;
    },
    'changed in one character': async () => {
      const link = await invite(owner, 'changed@links.example');
      return link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A');
    },
    'changed in its case': async () => (await invite(owner, 'case@links.example')).toLowerCase(),
    'cut off': async () => (await invite(owner, 'cut@links.example')).slice(0, -1),
    'the stored hash': async () => {
      const link = await invite(owner, 'hash@links.example');
      return `/link/${hashSecret(link.split('/').at(-1) ?? '').toString('base64url')}`;
    },
  };

  test.each(Object.entries(dead))('%s', async (_, make) => {
    const link = await make();
    const unknown = await scene.dashboard.browser().get(`/link/${newSecret()}`);
    const member = await scene.dashboard.signIn(newAccount('member'), 'owner', {
      lastSeenAtMs: Date.now() + 3_600_000,
    });
    const visitor = scene.dashboard.browser();
    const page = await visitor.get(link);
    expect(page.status).toBe(404);
    expect(withoutForms(page.text)).toBe(withoutForms(unknown.text));
    await member.get('/keys');
    await visitor.get('/sign-in');
    const signInOptions = optionsOf(await visitor.post('/sign-in/passkey/options'));
    const response = authenticator().create(signInOptions);
    const before = dumpTables(scene.service.dataDir);
    for (const path of [link, `${link}/options`, `${link}/passkey`])
      for (const browser of [visitor, member])
        expect(await browser.post(path, { response, name: 'laptop' })).toMatchObject({ status: 404 });
    expect(dumpTables(scene.service.dataDir)).toBe(before);
    expect(visitor.cookies.has('session')).toBe(false);
  });
});

describe('nothing tells whether an address is known', () => {
  test('neither the page of an invitation, nor the form that invites', async () => {
    const owner = await enrol(scene.dashboard, newAccount('asks'), 'owner@asks.example');
    const known = 'somebody@known.example';
    await enrol(scene.dashboard, newAccount('known'), known);
    const pagesOf = async (email: string) => {
      const once = fieldOf(await owner.get('/people/invite'), 'once');
      const sent = await owner.post('/people/invite', { once, email, role: 'viewer' });
      const link = new URL(textOf(sent, 'link')).pathname;
      const opened = await scene.dashboard.browser().get(link);
      return [sent, opened].map(({ status, text }) => ({
        status,
        text: withoutForms(text)
          .replaceAll(email, 'ADDRESS')
          .replaceAll(link, 'LINK')
          .replaceAll(encodeURIComponent(link), 'LINK')
          .replaceAll(/<time.*?<\/time>/g, 'TIME'),
      }));
    };
    expect(await pagesOf(known)).toEqual(await pagesOf('nobody@known.example'));
  });
});
