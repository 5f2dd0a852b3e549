import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { addPasskey, enrol, inviteTo } from '@jobs-delete/dashboard/testing/enrol';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import type { DashboardVisitor, FilledAccount } from './visit-dashboard.ts';

export interface Stage {
  readonly visitor: DashboardVisitor;
  readonly filled: FilledAccount;
  readonly owner: SignedInBrowser;
  /** Opens a browser of the look that is tested. */
  open(path: string, member?: Pick<SignedInBrowser, 'cookies'>): Promise<Page>;
}

/** Pages that only a form or a state leads to, each with its status. */
export type Answers = Readonly<
  Record<string, readonly [status: number, open: (stage: Stage) => Promise<Page>]>
>;

/** Sends the form of a page as the owner. */
const sent =
  (path: string, fields: (filled: FilledAccount) => Readonly<Record<string, string>>) =>
  async ({ open, owner, filled }: Stage): Promise<Page> => {
    const page = await open(path.replace(':token', filled.params.keys?.id ?? ''), owner);
    await sendForm(page, 'main form[method=post]:not(.inline)', fields(filled));
    return page;
  };

const opened =
  (path: (filled: FilledAccount) => string) =>
  ({ open, owner, filled }: Stage): Promise<Page> =>
    open(path(filled), owner);

let names = 0;
const newEmail = () => `ada${String(++names)}@acme.example`;

/** Pages of keys, domains, deletions and the sandbox. */
export const accountAnswers: Answers = {
  'a new token and secret key': [200, sent('/keys/new', () => ({ name: 'Shop', create: 'both' }))],
  'a new token': [200, sent('/keys/new', () => ({ name: 'Shop', create: 'token' }))],
  'a token that replaces another': [200, sent('/keys/token/:token/rotate', () => ({}))],
  'a key without a name': [422, sent('/keys/new', () => ({ name: '' }))],
  'a form without its CSRF token': [403, sent('/keys/new', () => ({ csrf: 'foreign' }))],
  'an expired key form': [422, sent('/keys/new', () => ({ name: 'Late', once: 'expired' }))],
  'a form that comes after the end of its sign-in': [
    403,
    async ({ visitor, open }) => {
      const browser = await visitor.signIn('acme', 'manager');
      const page = await open('/domains/new', browser);
      await visitor.dashboard().accounts.endSession(browser.person.id, browser.session.id);
      await sendForm(page, 'main form[method=post]', { domain: 'https://late.example' });
      return page;
    },
  ],
  'a form that is filled in again': [
    422,
    async ({ visitor, open }) => {
      const browser = await visitor.signIn('acme', 'manager');
      const page = await open('/domains/new', browser);
      await visitor.dashboard().accounts.endSession(browser.person.id, browser.session.id);
      await sendForm(page, 'main form[method=post]', { domain: 'https://late.example' });
      const path = await signInLink(visitor, browser);
      const tab = await page.context().newPage();
      await tab.goto(path);
      await sendForm(tab, 'main form');
      await sendForm(page, 'main form');
      return page;
    },
  ],
  'a page of a higher role': [
    403,
    async ({ visitor, open }) => open('/people/invite', await visitor.signIn('acme', 'viewer')),
  ],
  'a malformed domain': [422, sent('/domains/new', () => ({ domain: 'http://' }))],
  'a domain without TLS': [422, sent('/domains/new', () => ({ domain: 'http://shop.example' }))],
  'an origin that passes': [200, opened(({ origin }) => `/domains?origin=${encodeURIComponent(origin)}`)],
  'an origin that is refused': [200, opened(() => '/domains?origin=https%3A%2F%2Fother.example')],
  'an unknown Deletion-Id': [422, opened(() => '/activity?id=unknown')],
  'a period that ends before it starts': [422, opened(() => '/activity?from=2026-02-01&to=2026-01-01')],
  'an answer of the sandbox': [
    200,
    sent('/sandbox', ({ token, secretKey, origin }) => ({ token, secretKey, origin, ids: 'Unknown1' })),
  ],
  'a refused field of the sandbox': [422, sent('/sandbox', () => ({ userAgent: 'a\tb' }))],
  'a job that waits for its deletion': [200, opened(({ waitingJobId }) => `/jobs?job=${waitingJobId}`)],
  'a job that the account does not have': [200, opened(() => '/jobs?job=Unknown1')],
  'jobs that a search finds': [200, opened(() => '/jobs?find=a')],
  'a search without a hit': [200, opened(() => '/jobs?find=a-b')],
  'a preview of a deletion': [
    200,
    async (stage) => {
      const jobIds = Array.from({ length: 30 }, (_, index) => `Summer${String(2_600 + index)}`);
      await stage.visitor.service().operator.importJobs('acme', jobIds);
      return sent('/jobs/delete', () => ({ ids: [...jobIds, 'Winter2601', 'Winter2602'].join('\n') }))(stage);
    },
  ],
  'a preview of what a search finds': [
    200,
    async ({ visitor, open, owner }) => {
      await visitor.service().operator.importJobs('acme', ['Found2601', 'Found2602']);
      return open('/jobs/delete/found?find=found26', owner);
    },
  ],
  'ids that are none': [422, sent('/jobs/delete', () => ({ ids: 'Summer2601\nnot-an-id' }))],
  'a waiting deletion': [200, opened(({ waitingId }) => `/activity/${waitingId}`)],
  'a deletion to cancel': [200, opened(({ waitingId }) => `/activity/${waitingId}/cancel`)],
  'an allowance of no jobs': [422, sent('/safety/allow', () => ({ jobs: '0' }))],
  'an allowance from an expired form': [422, sent('/safety/allow', () => ({ jobs: '5', once: 'expired' }))],
  'a limit above 100 percent': [422, sent('/safety/limit', () => ({ kind: 'percent', percent: '101' }))],
  'more jobs allowed': [200, sent('/safety/allow', () => ({ jobs: '5' }))],
  'a new invitation': [200, sent('/people/invite', () => ({ email: newEmail() }))],
  'an invitation to no address': [422, sent('/people/invite', () => ({ email: 'nobody' }))],
};

/** Adds a person with a passkey. */
const enrolled = ({ visitor }: Stage, email = newEmail()) => enrol(visitor.dashboard(), 'acme', email);

/** Returns the path of a link that signs in. Default: as a new person. */
export async function signInLink(
  visitor: DashboardVisitor,
  member?: Pick<SignedInBrowser, 'person' | 'session'>,
): Promise<string> {
  const { person, session } = member ?? (await visitor.signIn('acme', 'viewer'));
  const secret = newSecret();
  await visitor.dashboard().accounts.addOneTimeSecret({
    kind: 'sign-in',
    hash: hashSecret(secret),
    expiresAtMs: Date.now() + 60_000,
    data: { accountId: session.accountId, personId: person.id },
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

/** Fills in a form, also its hidden fields, sends it without the checks and scripts of the browser, and waits for its answer. */
async function sendForm(
  page: Page,
  selector: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.evaluate(
    `{
      const form = document.querySelector(${JSON.stringify(selector)});
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
      form.submit();
    }`,
  );
  await loaded;
}
