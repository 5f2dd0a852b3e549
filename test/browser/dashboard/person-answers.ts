import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { addPasskey, enrol, inviteTo } from '@jobs-delete/dashboard/testing/enrol';
import { newEmail, type Answers, type Stage } from './account-answers.ts';
import { sendForm } from './send-form.ts';
import type { DashboardVisitor } from './visit-dashboard.ts';

/** Adds a person with a passkey. */
const enrolled = ({ visitor }: Stage, email = newEmail()) => enrol(visitor.dashboard(), 'acme', email);

/** Adds a person, and returns the path of a link that signs in. */
export async function signInLink(visitor: DashboardVisitor): Promise<string> {
  const { person } = await visitor.signIn('acme', 'viewer');
  const secret = newSecret();
  await visitor.dashboard().accounts.addOneTimeSecret({
    kind: 'sign-in',
    hash: hashSecret(secret),
    expiresAtMs: Date.now() + 60_000,
    data: { accountId: 'acme', personId: person.id },
  });
  return `/link/${secret}`;
}

const newLink = ({ visitor }: Stage, accountId = 'acme') =>
  inviteTo(visitor.dashboard(), accountId, newEmail());

/** Pages of links, of the sign-in and of the profile. */
export const personAnswers: Answers = {
  'the link of an invitation': [200, async (stage) => stage.open(await newLink(stage))],
  'an invitation for somebody who is signed in': [
    200,
    async (stage) => stage.open(await newLink(stage, 'other'), await enrolled(stage)),
  ],
  'an invitation for a member': [
    409,
    async (stage) => {
      const link = await inviteTo(stage.visitor.dashboard(), 'acme', newEmail(), 'viewer');
      const page = await stage.open(link, await enrolled(stage));
      await sendForm(page, 'main form');
      return page;
    },
  ],
  'a refused first passkey': [
    422,
    async (stage) => {
      const page = await stage.open(await newLink(stage));
      await sendForm(page, '#add-passkey', { response: '{}' });
      return page;
    },
  ],
  'a sign-in link': [200, async ({ visitor, open }) => open(await signInLink(visitor))],
  'an unknown link': [404, ({ open }) => open('/link/unknown')],
  'a refused passkey': [
    422,
    async ({ open }) => {
      const page = await open('/sign-in');
      await sendForm(page, '#passkey-sign-in', { response: '{}' });
      return page;
    },
  ],
  'another sign-in of a member': [200, async (stage) => stage.open('/sign-in/again', await enrolled(stage))],
  'a profile with two passkeys': [
    200,
    async (stage) => {
      const browser = await enrolled(stage);
      await addPasskey(stage.visitor.dashboard(), browser);
      return stage.open('/profile', browser);
    },
  ],
  'a refused new passkey': [
    422,
    async (stage) => {
      const page = await stage.open('/profile', await enrolled(stage));
      await sendForm(page, '#add-passkey', { response: '{}' });
      return page;
    },
  ],
  'a disabled account': [
    403,
    async ({ visitor, open }) => {
      const owner = await visitor.signIn('closed', 'owner');
      await visitor.dashboard().accounts.changeAccount('closed', { disabledAtMs: Date.now() });
      return open('/keys', owner);
    },
  ],
};
