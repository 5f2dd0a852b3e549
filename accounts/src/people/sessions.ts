/** A browser that somebody has signed in with. */
export interface Session {
  /** The SHA-256 hash (32 bytes) of the secret in the browser's cookie. */
  readonly hash: Buffer;
  /** The public part: 24 random characters of lower-case hex. */
  readonly id: string;
  readonly personId: string;
  /** The account that the pages show. */
  readonly accountId: string;
  /**
   * - `second-factor`: the password was right; a code is missing.
   * - `enrolling`: a one-time link was used, and the person has neither password nor passkey yet.
   * - `signed-in`: every page that the role allows.
   */
  readonly stage: 'second-factor' | 'enrolling' | 'signed-in';
  readonly createdAtMs: number;
  /** The last request, recorded at most once a minute. */
  readonly lastSeenAtMs: number;
  /** The last proof of identity: a password with its second factor, a passkey, or a one-time link. */
  readonly provenAtMs: number;
  readonly network?: string;
  readonly userAgent?: string;
}

export type SessionChange = Partial<
  Pick<Session, 'accountId' | 'stage' | 'lastSeenAtMs' | 'provenAtMs' | 'network'>
>;

/** The caller decides whether a session is too old. */
export interface Sessions {
  addSession(session: Session): Promise<void>;
  findSession(hash: Buffer): Promise<Session | undefined>;
  /** Resolves to whether the session exists. An ended session never comes back. */
  changeSession(hash: Buffer, change: SessionChange): Promise<boolean>;
  /** Last seen first, then by id. */
  listSessions(personId: string): Promise<readonly Session[]>;
  /** Resolves to whether the person had the session. */
  endSession(personId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of a person, except this one. */
  endOtherSessions(personId: string, keptSessionId: string | undefined): Promise<void>;
  /** Removes sessions last seen before this time. */
  expireSessions(lastSeenBeforeMs: number): Promise<void>;
}

/** A random secret that works once: a link, or the challenge of a passkey. */
export interface OneTimeSecret {
  /** The SHA-256 hash (32 bytes) of the secret. */
  readonly hash: Buffer;
  readonly kind: 'invitation' | 'sign-in' | 'passkey-challenge' | 'openid-state' | 'form';
  readonly expiresAtMs: number;
  /** Links (`invitation` and `sign-in`) have `accountId` and `email`. */
  readonly data: Readonly<Record<string, string>>;
}

export interface OneTimeSecrets {
  addOneTimeSecret(secret: OneTimeSecret): Promise<void>;
  /** Undefined for an unknown, used or expired secret. */
  findOneTimeSecret(
    kind: OneTimeSecret['kind'],
    hash: Buffer,
    atMs: number,
  ): Promise<OneTimeSecret | undefined>;
  /** The same, and uses it: exactly one of several concurrent callers gets it. */
  takeOneTimeSecret(
    kind: OneTimeSecret['kind'],
    hash: Buffer,
    atMs: number,
  ): Promise<OneTimeSecret | undefined>;
  /** The valid invitations to an account, ordered by address. */
  listInvitations(accountId: string, atMs: number): Promise<readonly OneTimeSecret[]>;
  /** Removes the unused links of an address for an account. Resolves to their number. */
  cancelLinks(accountId: string, email: string): Promise<number>;
  /** Removes the secrets that expired at this time or before. */
  expireOneTimeSecrets(atMs: number): Promise<void>;
}
