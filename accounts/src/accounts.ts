import { randomBytes } from 'node:crypto';
import type { AuditEntry, AuditTrail } from './people/audit-trail.ts';
import type { People, Sessions } from './people/people.ts';
import type { RefusalCounts, RefusedRequests } from './refusal-recorder.ts';
import type { OneTimeSecrets } from './people/one-time-secret.ts';

export interface Account {
  /** See `isAccountId`. Compared exactly, including letter case. */
  readonly id: string;
  readonly name?: string;
  readonly createdAtMs: number;
  /** Since then the service refuses the account's requests. Absent: it serves them. */
  readonly disabledAtMs?: number;
}

/** `null` enables the account. */
export type AccountChange = { readonly name: string } | { readonly disabledAtMs: number | null };

export type CredentialKind = 'token' | 'secret-key';

/** Where a request goes. The sandbox has no effect. */
export const environments = ['live', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

/** One API token or secret key, without its secret. */
export interface Credential extends CredentialRef {
  readonly accountId: string;
  readonly name?: string;
  readonly createdAtMs: number;
  /** Invalid from this moment on. Absent: it does not expire. */
  readonly expiresAtMs?: number;
  readonly revokedAtMs?: number;
  /** Invalid since then, until somebody resumes it. */
  readonly pausedAtMs?: number;
  /** The id of the credential of the same kind whose place it takes. */
  readonly replacesId?: string;
  /** Only requests to the sandbox may use it. Absent: live ones too. */
  readonly environment?: 'sandbox';
  readonly lastUsedAtMs?: number;
  /** The last refused request that named the credential, recorded at most once a minute. One to the sandbox does not count. */
  readonly lastRefusedAtMs?: number;
}

/** A new name in place of `from`, a pause, or with `null` its end. */
export type CredentialChange =
  { readonly name: string; readonly from: string | undefined } | { readonly pausedAtMs: number | null };

/** Identifies a credential. A token and a secret key may have the same id. */
export interface CredentialRef {
  readonly kind: CredentialKind;
  /** The public part, which may be listed and logged. */
  readonly id: string;
}

/** A credential with the keyed hash of its text (32 bytes). */
export interface StoredCredential extends Credential {
  readonly hash: Buffer;
  /** The pepper of the hash (see `pepperIdOf`). Absent: a release without pepper ids wrote it, under the first pepper. */
  readonly pepperId?: string;
}

/** The peppers whose credentials a database has. There are two only while one replaces the other. */
export interface PepperFingerprints {
  /** 32 bytes; also the pepper of credentials without `pepperId`. */
  readonly first: Buffer;
  readonly second?: Buffer;
}

/** A number of credentials under one pepper. */
export interface PepperCount {
  readonly pepperId?: string;
  readonly credentials: number;
}

/** An allowed domain as it is stored. */
export interface DomainRef {
  readonly accountId: string;
  readonly domain: string;
}

export interface DomainUse {
  readonly domain: string;
  /** The last accepted live request whose origin the domain matched, recorded at most once a minute. */
  readonly lastUsedAtMs?: number;
}

/** The data for checking one request: its token, and the domains of the token's account. */
export interface Access {
  readonly token: StoredCredential;
  readonly allowedDomains: readonly string[];
  readonly isAccountDisabled?: true;
}

/**
 * Who may call the API, and who may use the dashboard. Every adapter passes accounts.contract.ts.
 *
 * - A resolved write is durable, and visible to every later read of every process.
 * - Expected outcomes are return values; a technical failure rejects with a Fault.
 * - Accounts and credentials are never removed, and a revocation is never undone.
 * - A method with an `entry` writes it to the audit trail in the transaction of its change, and only if it changes something.
 * - Reads return expired, paused and revoked credentials too. The caller checks.
 * - Lists are ordered by creation, then id; domains by their text.
 */
export interface Accounts
  extends
    Credentials,
    Domains,
    Peppers,
    People,
    Sessions,
    OneTimeSecrets,
    AuditTrail,
    RefusalCounts,
    RefusedRequests {
  /** Exactly one of several concurrent callers with one id gets `added`. The others change nothing. */
  addAccount(account: Account): Promise<'added' | 'exists'>;
  findAccount(id: string): Promise<Account | undefined>;
  /** Resolves to those accounts that exist, in any order. */
  findAccounts(ids: readonly string[]): Promise<readonly Account[]>;
  listAccounts(): Promise<readonly Account[]>;
  /** Resolves to the changed account; undefined if there is none. Disabling again keeps the first time. */
  changeAccount(id: string, change: AccountChange): Promise<Account | undefined>;
}

export interface Credentials {
  /** Rejects with a Fault when the id exists, and does not change the stored credential. */
  addCredential(credential: StoredCredential, entry?: AuditEntry): Promise<'added' | 'no_account'>;
  /** Finds a credential of any account. */
  findCredential(credential: CredentialRef): Promise<StoredCredential | undefined>;
  /** Empty for an unknown account too. */
  listCredentials(kind: CredentialKind, accountId: string): Promise<readonly Credential[]>;
  /**
   * Idempotent: exactly one of several callers gets `revoked`, and its time stays. A credential of another account is
   * `not_found`.
   */
  revokeCredential(
    accountId: string,
    credential: CredentialRef,
    atMs: number,
    entry?: AuditEntry,
  ): Promise<'revoked' | 'already_revoked' | 'not_found'>;
  /**
   * `unchanged`: it is revoked, has another name than `from`, or is paused or valid already; the first time of a pause stays.
   * Exactly one of several concurrent callers gets `changed`. A credential of another account is `not_found`.
   */
  changeCredential(
    accountId: string,
    credential: CredentialRef,
    change: CredentialChange,
    entry?: AuditEntry,
  ): Promise<'changed' | 'unchanged' | 'not_found'>;
  /** Raises `lastUsedAtMs`, and never lowers it. Ignores credentials that do not exist. */
  recordUse(credentials: readonly CredentialRef[], atMs: number): Promise<void>;
  /** The same for `lastRefusedAtMs`. */
  recordRefusal(credentials: readonly CredentialRef[], atMs: number): Promise<void>;
  /** Replaces the hash if it is still `from`. Otherwise, and for an unknown credential, changes nothing. */
  replaceHash(
    credential: CredentialRef,
    from: Buffer,
    to: { readonly hash: Buffer; readonly pepperId: string },
  ): Promise<void>;
  /** One round trip: the token and its account's domains. Undefined for an unknown token. */
  loadAccess(tokenId: string): Promise<Access | undefined>;
}

export interface Domains {
  /** Idempotent. Stores the text as it is. The caller parses it first. */
  allowDomain(accountId: string, domain: string, entry?: AuditEntry): Promise<'allowed' | 'no_account'>;
  /** Empty for an unknown account too. */
  listDomains(accountId: string): Promise<readonly string[]>;
  /** The same domains with their last use. */
  listDomainUses(accountId: string): Promise<readonly DomainUse[]>;
  /** Raises the last use, and never lowers it. Lists no domain that is not allowed. */
  recordDomainUse(domains: readonly DomainRef[], atMs: number): Promise<void>;
  /** Resolves to whether the domain was allowed before. Its last use is forgotten. */
  removeDomain(accountId: string, domain: string, entry?: AuditEntry): Promise<boolean>;
}

export interface Peppers {
  /** Stores the first fingerprint (32 bytes) unless there is one. See verifyPeppers. */
  keepPepperFingerprint(fingerprint: Buffer): Promise<void>;
  /** The stored fingerprints; undefined before the first one. */
  findPepperFingerprints(): Promise<PepperFingerprints | undefined>;
  /** Replaces the fingerprints if they are still `from`. Resolves to whether they were. */
  changePepperFingerprints(from: PepperFingerprints, to: PepperFingerprints): Promise<boolean>;
  /** Counts by pepper the credentials that are not revoked, and not expired at `atMs`. Reads all of them, paused ones too. */
  countByPepper(atMs: number): Promise<readonly PepperCount[]>;
}

export type AccountCreation =
  | { readonly kind: 'created'; readonly account: Account }
  | { readonly kind: 'exists' | 'id_malformed' | 'name_malformed' };

/** Generates an id when there is none. */
export async function createAccount(
  accounts: Accounts,
  { id = newAccountId(), name }: { readonly id?: string | undefined; readonly name?: string | undefined },
  now: () => number,
): Promise<AccountCreation> {
  if (!isAccountId(id)) return { kind: 'id_malformed' };
  if (name !== undefined && !isDisplayName(name)) return { kind: 'name_malformed' };
  const account: Account = { id, createdAtMs: now(), ...(name !== undefined && { name }) };
  return (await accounts.addAccount(account)) === 'added' ? { kind: 'created', account } : { kind: 'exists' };
}

/** 1 to 64 characters that need no escaping in a URL, a file name or a shell. */
export function isAccountId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

export function newAccountId(): string {
  return `acc_${randomBytes(12).toString('hex')}`;
}

/** Checks the name of an account or a credential: for people only, printable in a terminal, never used for look-ups. */
export function isDisplayName(text: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text) && text.trim() !== '';
}
