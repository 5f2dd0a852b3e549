import type { RemovalPart } from './store.ts';
import type { ClaimRange } from './removed-parts.ts';

/** Why an event that does not fit any deletion on record is refused. */
export const noSuchDeletion = 'the account has no such deletion, or it is of other jobs';

/**
 * Returns which of the record's claims the part names. Returns undefined unless these are exactly its share of them, in
 * parts of one size but for the last: an event that says otherwise is not one of ours.
 * @param claims of the deletion, all of them
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
