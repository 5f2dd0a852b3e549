import type { Accounts } from '../accounts.ts';
import { hashSecret, newSecret } from './one-time-secret.ts';
import type { Person } from './people.ts';

export interface ResetLink {
  /** The last part of the link: shown once. */
  readonly secret: string;
  readonly expiresAtMs: number;
}

/** Valid for a day unless the caller says otherwise. */
export const resetLifetimeMs = 24 * 60 * 60 * 1_000;

type Needed = Pick<Accounts, 'cancelLinks' | 'removeSignInMethods' | 'endOtherSessions' | 'addOneTimeSecret'>;

/**
 * Removes every sign-in method and session of a person, and creates a sign-in link for a member's account. Cancels the
 * unused links of the address first: an owner may know one, and could choose the new password with it.
 *
 * Every step can be repeated after a crash. The caller checks the membership and records the action.
 */
export async function resetSignIn(
  accounts: Needed,
  { id, email, memberships }: Person,
  accountId: string,
  now: () => number,
  lifetimeMs: number = resetLifetimeMs,
): Promise<ResetLink> {
  for (const membership of memberships) await accounts.cancelLinks(membership.accountId, email);
  await accounts.removeSignInMethods(id);
  await accounts.endOtherSessions(id, undefined);
  const secret = newSecret();
  const expiresAtMs = now() + lifetimeMs;
  const data = { accountId, email };
  await accounts.addOneTimeSecret({ hash: hashSecret(secret), kind: 'sign-in', expiresAtMs, data });
  return { secret, expiresAtMs };
}
