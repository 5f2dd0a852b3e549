import {
  originMatches,
  parseAllowedDomain,
  type AllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import { explainMismatch, type OriginMismatch } from '@jobs-delete/accounts/origins/explain-mismatch';

export type OriginTrial =
  | { readonly kind: 'passes'; readonly domain: string }
  | { readonly kind: 'refused'; readonly mismatch: OriginMismatch };

/** Returns what the gateway decides about an Origin header with this text, and why. */
export function tryOrigin(text: string, allowed: readonly string[]): OriginTrial {
  const domains = allowed
    .map(parseAllowedDomain)
    .filter((domain): domain is AllowedDomain => domain !== undefined);
  // Node hands out the bytes of a header as Latin-1.
  const header = Buffer.from(text).toString('latin1');
  const match = domains.find((domain) => originMatches(header, [domain]));
  return match === undefined
    ? { kind: 'refused', mismatch: explainMismatch(text, domains) }
    : { kind: 'passes', domain: match.text };
}
