import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import {
  addFactor,
  addPasskey,
  codeOf,
  enrol,
  inviteTo,
  testPassword,
} from '@jobs-delete/dashboard/testing/enrol';
import { newEmail, type Answers, type Stage } from './account-answers.ts';
import { sendForm } from './send-form.ts';
import type { DashboardVisitor } from './visit-dashboard.ts';

/** Adds a person with a password. */
const enrolled = ({ visitor }: Stage, email = newEmail()) => enrol(visitor.dashboard(), 'acme', email);

/** Sends a form of the profile of a person with a password. */
const sent =
  (path: string, selector: string, fields: Readonly<Record<string, string>>) => async (stage: Stage) => {
    const page = await stage.open(path, await enrolled(stage));
    await sendForm(page, selector, fields);
    return page;
  };

/** Adds a person without a method, and returns the path of a link that signs in. */
export async function signInLink(visitor: DashboardVisitor): Promise<string> {
  const { email } = (await visitor.signIn('acme', 'viewer')).person;
  const secret = newSecret();
  await visitor.dashboard().accounts.addOneTimeSecret({
    kind: 'sign-in',
    hash: hashSecret(secret),
    expiresAtMs: Date.now() + 60_000,
    data: { accountId: 'acme', email },
  });
  return `/link/${secret}`;
}

async function openInvitation({ visitor, open }: Stage, accountId = 'acme', email = newEmail()) {
  return open(await inviteTo(visitor.dashboard(), accountId, email));
}

/** Opens the choice of a method after an invitation. */
async function accept(stage: Stage) {
  const page = await openInvitation(stage);
  await sendForm(page, 'main form');
  return page;
}

async function signInWithPassword(stage: Stage, email: string) {
  const page = await stage.open('/sign-in');
  await sendForm(page, '#password-form', { email, password: testPassword });
  return page;
}

const links: Answers = {
  'the link of an invitation': [200, (stage) => openInvitation(stage)],
  'a link for a person who can sign in': [
    200,
    async (stage) => {
      const email = newEmail();
      await enrolled(stage, email);
      return openInvitation(stage, 'other', email);
    },
  ],
  'a link for a person of other accounts': [
    200,
    async (stage) => {
      const { person } = await stage.visitor.signIn('other', 'viewer');
      return openInvitation(stage, 'acme', person.email);
    },
  ],
  'a sign-in link': [200, async ({ visitor, open }) => open(await signInLink(visitor))],
  'an unknown link': [404, ({ open }) => open('/link/unknown')],
  'the choice of a method': [200, accept],
  'a first password that is too short': [
    422,
    async (stage) => {
      const page = await accept(stage);
      await sendForm(page, '#password-form', { password: 'short' });
      return page;
    },
  ],
};

const signIns: Answers = {
  'a wrong password': [
    422,
    async ({ open }) => {
      const page = await open('/sign-in');
      await sendForm(page, '#password-form', { email: newEmail(), password: 'wrong' });
      return page;
    },
  ],
  'a wrong code': [
    422,
    async (stage) => {
      const email = newEmail();
      await addFactor(await enrolled(stage, email));
      const page = await signInWithPassword(stage, email);
      await sendForm(page, '#totp-form', { code: '000000' });
      return page;
    },
  ],
  'another sign-in of a member': [
    200,
    async (stage) => {
      const browser = await enrolled(stage);
      await addFactor(browser);
      return stage.open('/sign-in/again', browser);
    },
  ],
  'a wrong password of a member': [422, sent('/sign-in/again', '#password-form', { password: 'wrong' })],
  'too many wrong passwords': [
    429,
    async (stage) => {
      const email = newEmail();
      await enrolled(stage, email);
      // A browser that has signed in has a limit of its own, so the other pages stay unlimited.
      const page = await signInWithPassword(stage, email);
      await page.goto('/sign-in/again');
      for (let sent = 0; sent <= 10; sent++) await sendForm(page, '#password-form', { password: 'wrong' });
      return page;
    },
  ],
};

const profiles: Answers = {
  'a profile with every method': [
    200,
    async (stage) => {
      const browser = await enrolled(stage);
      await addPasskey(stage.visitor.dashboard(), browser);
      await addFactor(browser);
      return stage.open('/profile', browser);
    },
  ],
  'a refused new password': [422, sent('/profile', '#password-form', { password: 'short' })],
  'the set-up of an authenticator app': [
    200,
    async (stage) => stage.open('/profile/totp', await enrolled(stage)),
  ],
  'a wrong code of a new app': [422, sent('/profile/totp', '#totp-form', { code: '000000' })],
  'new recovery codes': [
    200,
    async (stage) => {
      const page = await stage.open('/profile/totp', await enrolled(stage));
      const secret = (await page.locator('#totp-secret').textContent()) ?? '';
      await sendForm(page, '#totp-form', { code: codeOf(secret) });
      return page;
    },
  ],
};

/** Pages of links, of the sign-in and of the profile. */
export const personAnswers: Answers = { ...links, ...signIns, ...profiles };
