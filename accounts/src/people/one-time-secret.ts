import { createHash, randomBytes } from 'node:crypto';
import type { AuditEntry } from './audit-trail.ts';

/** A random secret that works once. */
export interface OneTimeSecret {
  /** The SHA-256 hash (32 bytes) of the secret. */
  readonly hash: Buffer;
  readonly kind: 'invitation' | 'sign-in';
  readonly expiresAtMs: number;
  /** An invitation has the fields of `InvitationRequest`, and `notFor`; a sign-in link has `accountId` and `personId`. */
  readonly data: Readonly<Record<string, string>>;
}

export interface OneTimeSecrets {
  /**
   * An invitation replaces the open one of its address to its account, which stops working. Then the action of the entry is
   * `invitation.replaced`. Of several concurrent invitations, exactly one stays.
   */
  addOneTimeSecret(secret: OneTimeSecret, entry?: AuditEntry): Promise<'added' | 'replaced'>;
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
    entry?: AuditEntry,
  ): Promise<OneTimeSecret | undefined>;
  /** The valid invitations to an account, ordered by address. */
  listInvitations(accountId: string, atMs: number): Promise<readonly OneTimeSecret[]>;
  /** Removes the unused invitation of an address to an account. Resolves to whether there was one. */
  cancelInvitation(accountId: string, email: string, entry?: AuditEntry): Promise<boolean>;
  /**
   * Remembers this hash (32 bytes) until it expires. Resolves to true for exactly one of several concurrent callers, so a
   * signed text works once although nothing was stored when it was issued.
   */
  useOnce(hash: Buffer, expiresAtMs: number): Promise<boolean>;
  /** Removes the secrets that expired at this time or before. */
  expireOneTimeSecrets(atMs: number): Promise<void>;
}

/** Returns 256 random bits as 43 characters of base64url: the secret of a link or of a session cookie. */
export function newSecret(random: (size: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url');
}

/** Returns the stored form (32 bytes). No key is needed: nobody can guess 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
