import { jobsInFlight, rankOf, smallBatches, type Member } from './member.ts';

/** Limit of small batches for each connection. */
const maxSmallBatchesInFlight = 2;

/**
 * Returns the member for the next batch: of the lowest rank, with the least work in flight, and of equal ones the one
 * that was picked first. Returns undefined while all are busy, or when there is none.
 */
export function pickMember(members: readonly Member[], isSmall: boolean): Member | undefined {
  const rank = Math.min(...members.map(rankOf));
  const candidates = members
    .filter((member) => rankOf(member) === rank)
    .map((member) => ({
      member,
      batches: isSmall ? smallBatches(member).length : 0,
      jobs: jobsInFlight(member),
    }))
    .filter(({ batches }) => batches < maxSmallBatchesInFlight);
  const [first] = candidates.toSorted(
    (a, b) => a.batches - b.batches || a.jobs - b.jobs || a.member.pickedSequence - b.member.pickedSequence,
  );
  return first?.member;
}
