import type { RemovalPart } from './store.ts';

/** Positions in a deletion's claims: `from` is included, `to` is not. */
export interface ClaimRange {
  readonly from: number;
  readonly to: number;
}

/** Returns how many of the deletion's claims the recorded parts cover. Overlaps count once. */
export function countCovered(recorded: readonly ClaimRange[], claimCount: number): number {
  const ranges = recorded.toSorted((a, b) => a.from - b.from);
  let covered = 0;
  let reached = 0;
  for (const { from, to } of ranges) {
    const end = Math.min(to, claimCount);
    covered += Math.max(0, end - Math.max(from, reached));
    reached = Math.max(reached, end);
  }
  return covered;
}

/** The reason to refuse an event that fits no deletion on record. */
export const noSuchDeletion = 'the account has no such deletion, or it is of other jobs';

/** The reasons to refuse an event of a deletion whose removal must not begin. No relay publishes such an event. */
export const notBegun = {
  waiting: 'the deletion waits for the end of its delay',
  cancelled: 'the deletion is cancelled',
} as const;

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
