import type { Accounts } from '../accounts.ts';
import { operator } from './new-audit-entry.ts';
import { hashSecret } from './one-time-secret.ts';
import { membershipOf, roles, type Role } from './people.ts';
import type { OneTimeSecret } from './sessions.ts';

/** The content of a link that somebody may use. */
export interface Link {
  readonly kind: 'invitation' | 'sign-in';
  /** The hash of its secret. */
  readonly hash: Buffer;
  readonly accountId: string;
  readonly email: string;
  readonly role: Role | undefined;
}

/** Resolves to undefined for an unknown link, and for an invitation by somebody who is no longer an owner. */
export async function findLink(
  accounts: Pick<Accounts, 'findOneTimeSecret' | 'findPersonByEmail'>,
  secret: string,
  atMs: number,
): Promise<Link | undefined> {
  const hash = hashSecret(secret);
  const invitation = await accounts.findOneTimeSecret('invitation', hash, atMs);
  if (invitation === undefined) {
    const signIn = await accounts.findOneTimeSecret('sign-in', hash, atMs);
    return signIn && linkOf('sign-in', signIn);
  }
  const link = linkOf('invitation', invitation);
  const { invitedBy = '' } = invitation.data;
  if (link === undefined || invitedBy === operator) return link;
  const inviter = await accounts.findPersonByEmail(invitedBy);
  return inviter && membershipOf(inviter, link.accountId)?.role === 'owner' ? link : undefined;
}

function linkOf(kind: Link['kind'], { hash, data }: OneTimeSecret): Link | undefined {
  const { accountId, email } = data;
  if (accountId === undefined || email === undefined) return undefined;
  return { kind, hash, accountId, email, role: roles.find((role) => role === data.role) };
}
