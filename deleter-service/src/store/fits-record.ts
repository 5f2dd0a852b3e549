import type { RemovalPart } from './store.ts';

/**
 * Whether the part names exactly the claims that are its share of the record's, in parts of one size but for the
 * last. An event that says otherwise is not one of ours, and completing the deletion by it would leave jobs behind.
 * @param claims of the deletion, all of them
 */
export function fitsRecord(claims: readonly string[], { part, parts, claims: named }: RemovalPart): boolean {
  const isLast = part === parts - 1;
  const size = !isLast || parts === 1 ? named.length : (claims.length - named.length) / (parts - 1);
  if (!Number.isInteger(size) || Math.ceil(claims.length / size) !== parts) return false;
  const share = claims.slice(part * size, (part + 1) * size);
  return share.length === named.length && share.every((claim, index) => claim === named[index]);
}
