import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { CredentialKind } from '../accounts.ts';

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
