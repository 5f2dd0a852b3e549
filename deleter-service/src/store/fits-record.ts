import type { RemovalPart } from './store.ts';
import type { ClaimRange } from './removed-parts.ts';

/** The reason to refuse an event that fits no deletion on record. */
export const noSuchDeletion = 'the account has no such deletion, or it is of other jobs';

/**
 * Returns which of the record's claims the part names. Returns undefined if the part does not name exactly its share:
 * this program cuts parts of equal size, with a smaller last one, so such an event comes from elsewhere.
 * @param claims all claims of the deletion
 */
export function rangeInRecord(
  claims: readonly string[],
  { part, parts, claims: named }: RemovalPart,
): ClaimRange | undefined {
  const isLast = part === parts - 1;
  const size = !isLast || parts === 1 ? named.length : (claims.length - named.length) / (parts - 1);
  if (!Number.isInteger(size) || Math.ceil(claims.length / size) !== parts) return undefined;
  const range = { from: part * size, to: Math.min((part + 1) * size, claims.length) };
  const share = claims.slice(range.from, range.to);
  const fits = share.length === named.length && share.every((claim, index) => claim === named[index]);
  return fits ? range : undefined;
}
