import type { Replica } from './replica.ts';

/** A replica may have this many times the average load before its accounts go to others. */
const tolerance = 1.25;
/** Load below which a replica is never too busy for its accounts. */
const minBound = 32;
/** How much more load the first replica of an account may have than the second one: a request of one job. */
const slack = 2;

/**
 * Picks the replica that the account prefers: rendezvous hashing with bounded loads, and the less busy one of the first two.
 * So the requests of an account meet on few replicas, and share groups there. A preference is a hint: every replica may
 * accept every request.
 * @param averageLoad the load of all replicas, divided by the number of these
 * @param isAllowed false for a replica that must not be picked
 */
export function pickReplica(
  replicas: readonly Replica[],
  accountId: string,
  averageLoad: number,
  isAllowed: (replica: Replica) => boolean = () => true,
): Replica | undefined {
  const bound = Math.max(minBound, tolerance * averageLoad);
  const account = hashOf(accountId);
  let first: Replica | undefined;
  let second: Replica | undefined;
  let leastBusy: Replica | undefined;
  let firstScore = 0;
  let secondScore = 0;
  for (const replica of replicas) {
    if (!isAllowed(replica)) continue;
    if (leastBusy === undefined || replica.load < leastBusy.load) leastBusy = replica;
    if (replica.load > bound) continue;
    const score = mix(account ^ replica.hash);
    if (first === undefined || score > firstScore) {
      second = first;
      secondScore = firstScore;
      first = replica;
      firstScore = score;
    } else if (second === undefined || score > secondScore) {
      second = replica;
      secondScore = score;
    }
  }
  const isFirstBusy = first !== undefined && second !== undefined && first.load > second.load + slack;
  return (isFirstBusy ? second : first) ?? leastBusy;
}

const { imul } = Math;

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash);
}

/** The finalizer of MurmurHash3: each bit of the input changes half of the bits of the result. */
function mix(input: number): number {
  let hash = input;
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
