import { createHash } from 'node:crypto';
import type { Accounts } from '../accounts.ts';
import { type AuditEntry, operator } from './audit-trail.ts';
import { type OneTimeSecret, hashSecret, newSecret } from './one-time-secret.ts';
import { type Membership, type Person, type Role, membershipOf, roles } from './people.ts';

/** A member who is an owner, or the operator of the service. */
export type Inviter = typeof operator | { readonly id: string; readonly email: string };

export interface InvitationRequest {
  readonly accountId: string;
  /** As somebody typed it. */
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: Inviter;
}

/** A capability: whoever has its link may join the account with this role, once. */
export interface Invitation {
  /** The hash of the secret in its link. */
  readonly hash: Buffer;
  readonly accountId: string;
  /** A label: see `Membership`. */
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: Inviter;
  readonly expiresAtMs: number;
  /** The keys (`invitationKeyOf`) of those whose role in the account changed after it was sent: it does not work for them. */
  readonly notFor: readonly string[];
}

/** An invitation that nobody has accepted yet. */
export interface PendingInvitation extends Invitation {
  /** 24 characters of lower-case hex. Nobody can derive the link from it. */
  readonly id: string;
}

/** Valid for 7 days unless the caller says otherwise. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1_000;

export type NewInvitation =
  | {
      readonly kind: 'invited';
      readonly email: string;
      readonly secret: string;
      readonly expiresAtMs: number;
      /** The address had an open invitation. Its link no longer works. */
      readonly isReplacing: boolean;
    }
  | { readonly kind: 'no_account' | 'email_malformed' };

/**
 * Creates a link that makes its holder a member of the account, and replaces the open link of the address. The answer does not
 * depend on who has the address.
 * @param entryOf returns the entry of the audit trail for the address as it is stored
 */
export async function invitePerson(
  accounts: Pick<Accounts, 'findAccount' | 'addOneTimeSecret'>,
  { accountId, email: text, role, invitedBy }: InvitationRequest,
  now: () => number,
  {
    lifetimeMs = invitationLifetimeMs,
    secret = newSecret(),
    entryOf,
  }: {
    readonly lifetimeMs?: number;
    readonly secret?: string;
    readonly entryOf?: (email: string) => AuditEntry;
  } = {},
): Promise<NewInvitation> {
  const email = parseEmail(text);
  if (email === undefined) return { kind: 'email_malformed' };
  // Accounts are never removed, so the account still exists when the link is used.
  if ((await accounts.findAccount(accountId)) === undefined) return { kind: 'no_account' };
  const expiresAtMs = now() + lifetimeMs;
  const inviter =
    invitedBy === operator ? { invitedBy } : { invitedBy: invitedBy.id, inviterEmail: invitedBy.email };
  const data = { accountId, email, role, ...inviter };
  const stored = { hash: hashSecret(secret), kind: 'invitation', expiresAtMs, data } as const;
  const outcome = await accounts.addOneTimeSecret(stored, entryOf?.(email));
  return { kind: 'invited', email, secret, expiresAtMs, isReplacing: outcome === 'replaced' };
}

/** Resolves to undefined for an unknown link, and for an invitation by somebody who is no longer an owner. */
export async function findInvitation(
  accounts: Pick<Accounts, 'findOneTimeSecret' | 'findPerson'>,
  hash: Buffer,
  atMs: number,
): Promise<Invitation | undefined> {
  const invitation = readInvitation(await accounts.findOneTimeSecret('invitation', hash, atMs));
  if (invitation === undefined || invitation.invitedBy === operator) return invitation;
  return mayInvite(invitation, await accounts.findPerson(invitation.invitedBy.id)) ? invitation : undefined;
}

/** Resolves to the invitations to an account that have not expired, ordered by address. */
export async function listPendingInvitations(
  accounts: Pick<Accounts, 'listInvitations'>,
  accountId: string,
  atMs: number,
): Promise<readonly PendingInvitation[]> {
  const invitations = (await accounts.listInvitations(accountId, atMs)).map(readInvitation);
  return invitations.flatMap((each) =>
    each === undefined ? [] : [{ ...each, id: each.hash.toString('hex', 0, 12) }],
  );
}

/** Returns undefined for a secret that no invitation has. */
export function readInvitation(secret: OneTimeSecret | undefined): Invitation | undefined {
  if (secret?.kind !== 'invitation') return undefined;
  const { accountId, email, invitedBy: id, inviterEmail = '' } = secret.data;
  const role = roles.find((each) => each === secret.data.role);
  if (accountId === undefined || email === undefined || role === undefined || id === undefined)
    return undefined;
  const invitedBy = id === operator ? operator : { id, email: inviterEmail };
  const notFor = (secret.data.notFor ?? '').split(' ');
  return { hash: secret.hash, accountId, email, role, invitedBy, expiresAtMs: secret.expiresAtMs, notFor };
}

/**
 * Returns what names a person in `notFor`: 24 characters of lower-case hex. With a provider it follows from the identity,
 * because a person who was removed and joins again has a new id.
 */
export function invitationKeyOf({ id, openId }: Pick<Person, 'id' | 'openId'>): string {
  if (openId === undefined) return id;
  const identity = JSON.stringify([openId.issuer, openId.subject]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 24);
}

/** @param inviter the person with the id of `invitedBy` */
export function mayInvite({ invitedBy, accountId }: Invitation, inviter: Person | undefined): boolean {
  if (invitedBy === operator) return true;
  return inviter?.id === invitedBy.id && membershipOf(inviter, accountId)?.role === 'owner';
}

/** The parts of the audit entry that the adapter cannot know. */
export type JoinAction = Pick<AuditEntry, 'id' | 'atMs' | 'network'>;

export type JoinDecision =
  | { readonly kind: 'joins'; readonly membership: Membership; readonly entry: AuditEntry }
  | { readonly kind: 'link_unknown' | 'already_member' };

/** Decides what an invitation does for a person. The adapters call it in the transaction that applies it. */
export function decideJoin(
  secret: OneTimeSecret | undefined,
  inviter: Person | undefined,
  joiner: Pick<Person, 'id' | 'openId' | 'memberships'>,
  action: JoinAction,
): JoinDecision {
  const invitation = readInvitation(secret);
  if (invitation === undefined || !mayInvite(invitation, inviter)) return { kind: 'link_unknown' };
  if (invitation.notFor.includes(invitationKeyOf(joiner))) return { kind: 'link_unknown' };
  const { accountId, role } = invitation;
  const current = joiner.memberships.find((membership) => membership.accountId === accountId);
  // The highest role comes first.
  if (current !== undefined && roles.indexOf(current.role) <= roles.indexOf(role))
    return { kind: 'already_member' };
  const { email } = current ?? invitation;
  const entry: AuditEntry = {
    ...action,
    accountId,
    action: current === undefined ? 'person.joined' : 'person.role-changed',
    actor: email,
    subject: `${email}: ${current === undefined ? '' : `${current.role} → `}${role}`,
  };
  return { kind: 'joins', membership: { accountId, role, email }, entry };
}

/**
 * Returns the address as it is stored: trimmed and in lower case. Undefined for a text that is no address. Accepts any
 * address that may exist: only a message to it shows whether it does.
 */
export function parseEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase();
  return email.length <= maxLength && pattern.test(email) ? email : undefined;
}

/** The limit of SMTP (RFC 5321, 4.5.3.1.3), without the angle brackets. */
const maxLength = 254;

/** One `@` between two parts without spaces and without control, invisible or unassigned characters. */
const pattern = /^[^\p{C}\p{Z}@]+@[^\p{C}\p{Z}@]+$/u;
