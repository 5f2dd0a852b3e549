import type { Accounts } from '../accounts.ts';
import { roles, type Role } from './people.ts';
import type { OneTimeSecret } from './sessions.ts';

/** An invitation that nobody has accepted yet. */
export interface PendingInvitation {
  /** 24 characters of lower-case hex. Nobody can derive the link from it. */
  readonly id: string;
  /** The hash of the secret in its link. */
  readonly hash: Buffer;
  readonly email: string;
  readonly role: Role;
  /** The inviting person's address, or `operator`. */
  readonly invitedBy: string;
  readonly expiresAtMs: number;
}

/** Resolves to the invitations to an account that have not expired, ordered by address. */
export async function listPendingInvitations(
  accounts: Pick<Accounts, 'listInvitations'>,
  accountId: string,
  atMs: number,
): Promise<readonly PendingInvitation[]> {
  return (await accounts.listInvitations(accountId, atMs)).flatMap(toPending);
}

function toPending({ hash, expiresAtMs, data }: OneTimeSecret): readonly PendingInvitation[] {
  const { email, invitedBy = '' } = data;
  const role = roles.find((each) => each === data.role);
  if (email === undefined || role === undefined) return [];
  return [{ id: hash.toString('hex', 0, 12), hash, email, role, invitedBy, expiresAtMs }];
}

/**
 * Makes the link of an invitation useless. Exactly one of several concurrent callers gets true. Resolves to false for a
 * link that was used, withdrawn or has expired. Somebody who opens the link at that moment may still become a member.
 */
export async function withdrawInvitation(
  accounts: Pick<Accounts, 'takeOneTimeSecret'>,
  { hash }: Pick<PendingInvitation, 'hash'>,
  atMs: number,
): Promise<boolean> {
  return (await accounts.takeOneTimeSecret('invitation', hash, atMs)) !== undefined;
}
