import type { AuditEntry } from './audit-trail.ts';

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

export type SessionChange = Partial<Pick<Session, 'accountId' | 'lastSeenAtMs' | 'provenAtMs' | 'network'>>;

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
