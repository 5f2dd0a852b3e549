import type { Accounts } from '@jobs-delete/accounts/accounts';
import { invitePerson } from '@jobs-delete/accounts/people/invite-person';
import type { Role } from '@jobs-delete/accounts/people/people';
import { Secret, TOTP } from 'otpauth';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from './software-authenticator.ts';
import type { TestDashboard } from './start-test-dashboard.ts';
import type { TestAnswer, TestBrowser } from './test-browser.ts';

export const testPassword = 'four boats under a bridge';

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

/** Returns a browser of a new person who has chosen `testPassword`. */
export async function enrol(
  dashboard: Pick<TestDashboard, 'browser'> & { readonly accounts: Accounts },
  accountId: string,
  email: string,
): Promise<TestBrowser> {
  const browser = dashboard.browser();
  const link = await inviteTo(dashboard, accountId, email);
  await browser.get(link);
  await browser.post(link);
  await browser.get('/sign-in/next');
  const answer = await browser.post('/sign-in/next/password', { password: testPassword });
  if (answer.status !== 303) throw new Error(`the password was answered with ${answer.status}`);
  return browser;
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
export function originOf({ url }: Pick<TestDashboard, 'url'>): string {
  return url.replace('127.0.0.1', 'localhost');
}

export function optionsOf({ text }: TestAnswer): { challenge: string } {
  return JSON.parse(text) as { challenge: string };
}

export function signInWith(
  browser: TestBrowser,
  email: string,
  password: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return browser.get('/sign-in').then(() => browser.post('/sign-in', { email, password, ...fields }));
}

export interface TestFactor {
  /** The code of the current time step, or of one after it. */
  code(stepsLater?: number): string;
  /** The code that has set up the factor. */
  readonly usedCode: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets up an authenticator app on the profile of a signed-in browser, with the code of the current step. */
export async function addFactor(browser: TestBrowser): Promise<TestFactor> {
  const { text } = await browser.get('/profile/totp');
  const secret = /id="totp-secret">([^<]+)</.exec(text)?.[1] ?? '';
  const sealed = /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const code = (stepsLater = 0) => codeOf(secret, stepsLater);
  const usedCode = code();
  const answer = await browser.post('/profile/totp', { sealed, code: usedCode });
  return { code, usedCode, recoveryCodes: recoveryCodesOf(answer) };
}

/** Returns the code of an authenticator app with the secret that the page shows. */
export function codeOf(shownSecret: string, stepsLater = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(shownSecret.replaceAll(' ', '')) });
  return totp.generate({ timestamp: Date.now() + stepsLater * 30_000 });
}

export function recoveryCodesOf({ text }: TestAnswer): readonly string[] {
  return /id="recovery-codes">([^<]+)</.exec(text)?.[1]?.split('\n') ?? [];
}
