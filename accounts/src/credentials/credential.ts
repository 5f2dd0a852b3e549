import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isDisplayName, type Accounts, type Credential, type CredentialKind } from '../accounts.ts';
import type { AuditEntry } from '../people/audit-trail.ts';

/**
 * `jdt_<id>_<secret>` for a token, `jds_…` for a secret key: an id of 96 random bits and a secret of 256, in lower-case
 * hex. All characters are allowed in an RFC 6750 b64token, and a double click selects the whole text.
 */
const formats = {
  token: { prefix: 'jdt', pattern: /^jdt_([0-9a-f]{24})_[0-9a-f]{64}$/ },
  'secret-key': { prefix: 'jds', pattern: /^jds_([0-9a-f]{24})_[0-9a-f]{64}$/ },
} as const satisfies Record<CredentialKind, { prefix: string; pattern: RegExp }>;

/** The number of characters of a credential of either kind. */
export const credentialLength = 'jdt_'.length + 24 + '_'.length + 64;

export interface IssuedText {
  /** The public part. */
  readonly id: string;
  /** The whole credential: shown once, never stored. */
  readonly text: string;
}

export function newCredentialText(
  kind: CredentialKind,
  random: (size: number) => Buffer = randomBytes,
): IssuedText {
  const id = random(12).toString('hex');
  const secret = random(32).toString('hex');
  return { id, text: `${formats[kind].prefix}_${id}_${secret}` };
}

/** Only an active credential authenticates a request. */
export type CredentialState = 'active' | 'paused' | 'expired' | 'revoked';

/** `revoked` and `expired` win over `paused`. */
export function credentialState(
  { revokedAtMs, expiresAtMs, pausedAtMs }: Pick<Credential, 'revokedAtMs' | 'expiresAtMs' | 'pausedAtMs'>,
  nowMs: number,
): CredentialState {
  if (revokedAtMs !== undefined) return 'revoked';
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) return 'expired';
  return pausedAtMs === undefined ? 'active' : 'paused';
}

/** Returns the id of a well-formed credential of this kind, otherwise undefined. Does not check that it is valid. */
export function parseCredential(kind: CredentialKind, text: string): string | undefined {
  return formats[kind].pattern.exec(text)?.[1];
}

/** Returns the kind that a text has by its prefix, otherwise undefined. */
export function claimedKind(text: string): CredentialKind | undefined {
  const kinds = Object.keys(formats) as CredentialKind[];
  return kinds.find((kind) => text.startsWith(`${formats[kind].prefix}_`));
}

/** Hashes the whole text, so a hash only fits this kind and this id. */
export function hashCredential(pepper: KeyObject, text: string): Buffer {
  return createHmac('sha256', pepper).update(text).digest();
}

/** Takes the same time for a right secret, a wrong one, and an unknown credential. */
export function credentialMatches(pepper: KeyObject, text: string, stored: Buffer | undefined): boolean {
  const equal = timingSafeEqual(hashCredential(pepper, text), stored ?? noHash);
  return equal && stored !== undefined;
}

/**
 * Returns the pepper under which the stored hash fits. Compares under each of them, so the time does not depend on which one
 * fits, or whether any does.
 */
export function matchingPepper(
  peppers: readonly KeyObject[],
  text: string,
  stored: Buffer | undefined,
): KeyObject | undefined {
  const [matching] = peppers.filter((pepper) => credentialMatches(pepper, text, stored));
  return matching;
}

const noHash = randomBytes(32);

/** Returns the fingerprint of a pepper. No credential has the hashed text, so it is the hash of no credential. */
export function fingerprintOf(pepper: KeyObject): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the credential pepper').digest();
}

/** Returns the public name of a pepper: the first 16 hex digits of its fingerprint. */
export function pepperIdOf(fingerprint: Buffer): string {
  return fingerprint.toString('hex', 0, 8);
}

export interface CredentialRequest extends Pick<Credential, 'kind' | 'accountId'> {
  /** Absent: it does not expire. */
  readonly expiresAtMs?: number | undefined;
  readonly name?: string | undefined;
  /** The credential of the same kind whose place it takes. */
  readonly replacesId?: string | undefined;
  readonly environment?: 'sandbox' | undefined;
  /** Default: a new text. */
  readonly drawn?: IssuedText;
  /** Returns the entry of the audit trail for the new credential's id. */
  readonly entryOf?: (id: string) => AuditEntry;
}

export type Issuance =
  | {
      readonly kind: 'issued';
      /** The whole credential: shown once. It cannot be computed from the stored data. */
      readonly text: string;
      readonly credential: Credential;
    }
  | { readonly kind: 'no_account' | 'name_malformed' };

export async function issueCredential(
  accounts: Accounts,
  pepper: KeyObject,
  request: CredentialRequest,
  now: () => number,
): Promise<Issuance> {
  const { kind, accountId, expiresAtMs, name, replacesId, environment } = request;
  if (name !== undefined && !isDisplayName(name)) return { kind: 'name_malformed' };
  const { id, text } = request.drawn ?? newCredentialText(kind);
  const credential: Credential = {
    kind,
    id,
    accountId,
    createdAtMs: now(),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(name !== undefined && { name }),
    ...(replacesId !== undefined && { replacesId }),
    ...(environment !== undefined && { environment }),
  };
  const pepperId = pepperIdOf(fingerprintOf(pepper));
  const stored = { ...credential, hash: hashCredential(pepper, text), pepperId };
  const outcome = await accounts.addCredential(stored, request.entryOf?.(id));
  return outcome === 'added' ? { kind: 'issued', text, credential } : { kind: 'no_account' };
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A hundred years. A longer duration is a typing error. */
const maxMs = 36_500 * unitMs.d;

/** Parses a duration such as `90d`: a positive whole number and s, m, h, d or w. Returns undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,9})([smhdw])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const durationMs = Number(digits) * unitMs[unit as keyof typeof unitMs];
  return durationMs <= maxMs ? durationMs : undefined;
}
