import type { Accounts } from '../accounts.ts';
import { parseEmail } from './email.ts';
import { hashSecret, newSecret } from './one-time-secret.ts';
import type { Role } from './people.ts';

export interface InvitationRequest {
  readonly accountId: string;
  /** As somebody typed it. */
  readonly email: string;
  readonly role: Role;
  /** The inviting person's address, or `operator`. */
  readonly invitedBy: string;
}

export type Invitation =
  | {
      readonly kind: 'invited';
      /** The address as it is stored. */
      readonly email: string;
      /** The last part of the link: shown once. */
      readonly secret: string;
      readonly expiresAtMs: number;
    }
  | { readonly kind: 'no_account' | 'email_malformed' };

/** Valid for 7 days unless the caller says otherwise. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * Creates a link that makes its owner a member of the account. Several links for one address may be valid at the same
 * time. The caller records the action.
 */
export async function invitePerson(
  accounts: Pick<Accounts, 'findAccount' | 'addOneTimeSecret'>,
  { accountId, email: text, role, invitedBy }: InvitationRequest,
  now: () => number,
  lifetimeMs: number = invitationLifetimeMs,
): Promise<Invitation> {
  const email = parseEmail(text);
  if (email === undefined) return { kind: 'email_malformed' };
  // Accounts are never removed, so the account still exists when the link is used.
  if ((await accounts.findAccount(accountId)) === undefined) return { kind: 'no_account' };
  const secret = newSecret();
  const expiresAtMs = now() + lifetimeMs;
  await accounts.addOneTimeSecret({
    hash: hashSecret(secret),
    kind: 'invitation',
    expiresAtMs,
    data: { accountId, email, role, invitedBy },
  });
  return { kind: 'invited', email, secret, expiresAtMs };
}
