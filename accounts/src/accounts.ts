export interface Account {
  /** See account-id.ts. Compared exactly, letter case included. */
  readonly id: string;
  readonly name?: string;
  readonly createdAtMs: number;
}

export type CredentialKind = 'token' | 'secret-key';

/** One API token or secret key, without anything that could stand in for it. */
export interface Credential extends CredentialRef {
  readonly accountId: string;
  readonly name?: string;
  readonly createdAtMs: number;
  /** Valid before this moment, no longer at it. Absent: it doesn't expire. */
  readonly expiresAtMs?: number;
  readonly revokedAtMs?: number;
  readonly lastUsedAtMs?: number;
}

/** What names a credential. Tokens and secret keys are two spaces of ids. */
export interface CredentialRef {
  readonly kind: CredentialKind;
  /** The public part: it may be listed and logged. */
  readonly id: string;
}

/** A credential with the keyed hash (32 bytes) that its text is compared with. */
export interface StoredCredential extends Credential {
  readonly hash: Buffer;
}

/** All that one request needs to know of the account its token belongs to. */
export interface Access {
  readonly token: StoredCredential;
  readonly allowedDomains: readonly string[];
}

/**
 * Who may call the API. Every adapter passes accounts.contract.ts.
 *
 * - What a method has resolved with is durable and is seen by every read that starts afterwards, from any process.
 * - Expected outcomes are return values; a technical failure rejects with a Fault.
 * - Accounts and credentials are never removed, and a revocation is never undone.
 * - Whether a credential is expired or revoked is for the reader to judge: reads return it all the same.
 * - Lists are ordered by creation, then id; domains by their text.
 */
export interface Accounts {
  /** Of several callers that race for one id exactly one is told `added`; the others change nothing. */
  addAccount(account: Account): Promise<'added' | 'exists'>;
  findAccount(id: string): Promise<Account | undefined>;
  listAccounts(): Promise<readonly Account[]>;

  /** The id is new: one that is taken is a Fault, and the stored credential stays as it is. */
  addCredential(credential: StoredCredential): Promise<'added' | 'no_account'>;
  /** Whichever account it is of. */
  findCredential(credential: CredentialRef): Promise<StoredCredential | undefined>;
  /** Empty for an unknown account too. */
  listCredentials(kind: CredentialKind, accountId: string): Promise<readonly Credential[]>;
  /**
   * Idempotent: of several callers exactly one is told `revoked`, and its time stays. Another account's credential
   * is `not_found`.
   */
  revokeCredential(
    accountId: string,
    credential: CredentialRef,
    atMs: number,
  ): Promise<'revoked' | 'already_revoked' | 'not_found'>;
  /** Raises `lastUsedAtMs`, which never goes back. A credential that doesn't exist is passed over. */
  recordUse(credentials: readonly CredentialRef[], atMs: number): Promise<void>;

  /** Idempotent. The text is kept as it is given: parsing it is the caller's. */
  allowDomain(accountId: string, domain: string): Promise<'allowed' | 'no_account'>;
  /** Empty for an unknown account too. */
  listDomains(accountId: string): Promise<readonly string[]>;
  /** Whether it was there. */
  removeDomain(accountId: string, domain: string): Promise<boolean>;

  /** One round trip: the token and its account's domains. Undefined for an unknown token. */
  loadAccess(tokenId: string): Promise<Access | undefined>;

  /**
   * Keeps the first fingerprint (32 bytes) that it is ever given, and tells whether this one is the same. Of several
   * callers that race to be first, all are compared with the one that is kept. See load-pepper.ts.
   */
  keepPepperFingerprint(fingerprint: Buffer): Promise<'same' | 'different'>;
}
