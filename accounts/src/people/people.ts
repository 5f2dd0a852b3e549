import { randomBytes } from 'node:crypto';
import type { AuditEntry } from './audit-trail.ts';
import type { JoinAction } from './invitations.ts';

/** The highest role first. */
export const roles = ['owner', 'manager', 'viewer'] as const;

/** An owner manages people too; a manager changes keys and domains; a viewer only reads. */
export type Role = (typeof roles)[number];

export interface Membership {
  readonly accountId: string;
  readonly role: Role;
  /**
   * The address that the owner typed into the invitation. A label for the people of this account: nothing is proven about
   * it, nothing compares it, and two members may have the same one.
   */
  readonly email: string;
  /** The start of the UTC day of the last request to a page of the account. Absent: none is recorded. */
  readonly lastSeenAtMs?: number;
}

/** Who signs in: exactly the authenticators that prove it, and nothing else. Ends with its last membership. */
export interface Person {
  /** 24 random characters of lower-case hex. */
  readonly id: string;
  readonly createdAtMs: number;
  /** At most one for each account, in the order of the account ids. */
  readonly memberships: readonly Membership[];
  /** In the order in which they were added. */
  readonly passkeys: readonly Passkey[];
  /** Absent: the person signs in with passkeys. */
  readonly openId?: OpenIdIdentity;
}

/** The identity that an OpenID Connect provider confirms. No two people have the same pair. */
export interface OpenIdIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** A WebAuthn credential. */
export interface Passkey {
  /** The credential id in base64url. Unique over all people. */
  readonly id: string;
  /** COSE bytes. */
  readonly publicKey: Buffer;
  /** The signature counter of the last use. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

/** A person who exists, by the id, or one who starts to exist with the invitation: never both. */
export type Joiner = { readonly personId: string } | { readonly newPerson: Omit<Person, 'memberships'> };

export type Joining =
  | { readonly kind: 'joined'; readonly person: Person; readonly accountId: string }
  /**
   * `link_unknown`: used, withdrawn, expired, never created, its sender is no owner any more, or the role of the joiner
   * changed after it was sent. `already_member`: with this role or a higher one. `identity_taken`: another person has this passkey or identity. They change nothing.
   */
  | { readonly kind: 'link_unknown' | 'already_member' | 'identity_taken' | 'no_person' };

/** Returns the id of a new person, session or audit entry: 24 random characters of lower-case hex. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}

export function membershipOf(person: Person, accountId: string): Membership | undefined {
  return person.memberships.find((membership) => membership.accountId === accountId);
}

/**
 * The people of the dashboard. A method with an `entry` writes it to the audit trail in the transaction of its change, and
 * only if it changes something.
 */
export interface People {
  /** For the operator. Rejects with a Fault when another person has one of the passkeys or the identity. */
  addPerson(person: Person): Promise<'added' | 'exists'>;
  findPerson(id: string): Promise<Person | undefined>;
  findPersonByPasskey(passkeyId: string): Promise<Person | undefined>;
  findPersonByOpenId(identity: OpenIdIdentity): Promise<Person | undefined>;
  /** The members of an account, ordered by address, then id. */
  listPeople(accountId: string): Promise<readonly Person[]>;
  /**
   * Uses the invitation with this hash, adds the membership and records that, in one transaction. Exactly one of several
   * concurrent callers joins. Never changes the passkeys or the identity of an existing person, and never lowers a role.
   * No older invitation works for a person whose role it has raised.
   */
  acceptInvitation(hash: Buffer, joiner: Joiner, action: JoinAction): Promise<Joining>;
  /**
   * Cancels the unused invitations of the member's address too. No other older invitation to the account works for this
   * person: it could raise the role again.
   */
  changeRole(
    accountId: string,
    personId: string,
    role: Role,
    entry: AuditEntry,
  ): Promise<'changed' | 'unchanged' | 'last_owner' | 'not_found'>;
  /**
   * Removes the membership and the person's sessions in the account. Treats invitations as `changeRole` does,
   * and cancels those that the member has sent. The last membership ends the person, with every passkey and session.
   */
  removeMember(
    accountId: string,
    personId: string,
    entry: AuditEntry,
  ): Promise<'removed' | 'last_owner' | 'not_found'>;
  /** Raises the time of a membership that exists, and never lowers it. The caller passes the start of a UTC day. */
  recordMemberSeen(accountId: string, personId: string, dayMs: number): Promise<void>;
  addPasskey(
    personId: string,
    passkey: Passkey,
    entry?: AuditEntry,
  ): Promise<'added' | 'exists' | 'no_person'>;
  /** Raises the counter and the time, and never lowers them. */
  recordPasskeyUse(personId: string, passkeyId: string, counter: number, atMs: number): Promise<void>;
  /** Ends the person's other sessions too: somebody else may have used the passkey. The last passkey stays. */
  removePasskey(
    personId: string,
    passkeyId: string,
    keptSessionId: string,
    entry: AuditEntry,
  ): Promise<'removed' | 'last' | 'not_found'>;
}

/** A browser that somebody has signed in with. */
export interface Session {
  /** The SHA-256 hash (32 bytes) of the secret in the browser's cookie. */
  readonly hash: Buffer;
  /** The public part: 24 random characters of lower-case hex. */
  readonly id: string;
  readonly personId: string;
  /** The account that the pages show. */
  readonly accountId: string;
  readonly createdAtMs: number;
  /** The last request, recorded at most once a minute. */
  readonly lastSeenAtMs: number;
  /** The last proof of identity: a passkey, the provider, or the operator's sign-in link. */
  readonly provenAtMs: number;
  readonly network?: string;
  readonly userAgent?: string;
}

type SessionChange = Partial<Pick<Session, 'accountId' | 'lastSeenAtMs' | 'provenAtMs' | 'network'>>;

/** The caller decides whether a session is too old. For `entry`, see `People`. */
export interface Sessions {
  addSession(session: Session, entry?: AuditEntry): Promise<void>;
  /**
   * Uses the sign-in link with this hash, adds the session and records that, in one transaction. Resolves to false for an
   * unknown, used or expired link. Exactly one of several concurrent callers adds a session.
   */
  addLinkedSession(linkHash: Buffer, session: Session, entry: AuditEntry): Promise<boolean>;
  findSession(hash: Buffer): Promise<Session | undefined>;
  /** Resolves to whether the session exists. An ended session never comes back. */
  changeSession(hash: Buffer, change: SessionChange): Promise<boolean>;
  /** Last seen first, then by id. */
  listSessions(personId: string): Promise<readonly Session[]>;
  /** Resolves to whether the person had the session. */
  endSession(personId: string, sessionId: string, entry?: AuditEntry): Promise<boolean>;
  /** Ends all sessions of a person, except this one. Resolves to their number. */
  endOtherSessions(personId: string, keptSessionId: string, entry?: AuditEntry): Promise<number>;
  /** Removes sessions last seen before this time. */
  expireSessions(lastSeenBeforeMs: number): Promise<void>;
}
