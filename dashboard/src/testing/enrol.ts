import type { Accounts } from '@jobs-delete/accounts/accounts';
import { invitePerson } from '@jobs-delete/accounts/people/invitations';
import type { Role } from '@jobs-delete/accounts/people/people';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from './software-authenticator.ts';
import type { TestDashboard } from './start-test-dashboard.ts';
import type { TestAnswer, TestBrowser } from './test-browser.ts';

/** Creates the account if it is new. Returns the path of an invitation. */
export async function inviteTo(
  { accounts }: { readonly accounts: Accounts },
  accountId: string,
  email: string,
  role: Role = 'owner',
): Promise<string> {
  await accounts.addAccount({ id: accountId, createdAtMs: Date.now() });
  const invited = await invitePerson(accounts, { accountId, email, role, invitedBy: 'operator' }, Date.now);
  if (invited.kind !== 'invited')
    throw new Error(`the invitation of ${email} was answered with ${invited.kind}`);
  return `/link/${invited.secret}`;
}

export interface Enrolled extends TestBrowser {
  readonly authenticator: SoftwareAuthenticator;
}

/** Returns a browser of a new person who has joined with a new passkey. */
export async function enrol(
  dashboard: Pick<TestDashboard, 'browser' | 'publicUrl'> & { readonly accounts: Accounts },
  accountId: string,
  email: string,
): Promise<Enrolled> {
  const browser = dashboard.browser();
  const authenticator = createSoftwareAuthenticator(originOf(dashboard));
  const link = await inviteTo(dashboard, accountId, email);
  const answer = await joinWith(browser, link, authenticator);
  if (answer.status !== 303) throw new Error(`the new passkey was answered with ${answer.status}`);
  return { ...browser, authenticator };
}

/** Joins with a new passkey, as the page of an invitation does. */
export async function joinWith(
  browser: TestBrowser,
  link: string,
  authenticator: SoftwareAuthenticator,
): Promise<TestAnswer> {
  await browser.get(link);
  const options = optionsOf(await browser.post(`${link}/options`));
  return browser.post(`${link}/passkey`, { response: authenticator.create(options), name: 'laptop' });
}

/** Signs in with a passkey, as the page of the sign-in does. */
export async function signInWith(
  browser: TestBrowser,
  authenticator: SoftwareAuthenticator,
  path = '/sign-in/passkey',
): Promise<TestAnswer> {
  await browser.get('/sign-in');
  const options = optionsOf(await browser.post('/sign-in/passkey/options'));
  return browser.post(path, { response: authenticator.get(options) });
}

/** Adds a passkey on the profile of a signed-in browser. Returns its authenticator. */
export async function addPasskey(
  dashboard: TestDashboard,
  browser: TestBrowser,
  name = 'laptop',
): Promise<SoftwareAuthenticator> {
  const authenticator = createSoftwareAuthenticator(originOf(dashboard));
  await browser.get('/profile');
  const options = optionsOf(await browser.post('/profile/passkeys/options'));
  const answer = await browser.post('/profile/passkeys', { response: authenticator.create(options), name });
  if (answer.status !== 303) throw new Error(`the passkey was answered with ${answer.status}`);
  return authenticator;
}

/** The origin that a person's browser has: WebAuthn does not work at an IP address. */
export function originOf({ publicUrl }: Pick<TestDashboard, 'publicUrl'>): string {
  return publicUrl;
}

export function optionsOf({ text }: TestAnswer): { challenge: string } {
  return JSON.parse(text) as { challenge: string };
}
