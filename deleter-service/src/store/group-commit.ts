import { Fault } from '@jobs-delete/runtime/fault';
import { createLane } from '@jobs-delete/runtime/lane';
import type { Clock } from '../deletion/clock.ts';
import type { AcceptOutcome, AcceptRequest, DeletionStore, InTurn } from './store.ts';

export interface GroupCommitOptions {
  readonly clock: Pick<Clock, 'defer' | 'now'>;
  /** A group is closed at this many jobs. */
  readonly maxGroupJobs?: number;
  /** A request of this many jobs gains nothing from company and goes alone. */
  readonly aloneFromJobs?: number;
  /** A second group leaves when this many jobs wait, for a store that looks up and writes in two steps; none by default. */
  readonly secondFromJobs?: number;
  /** Of all that wait and are in flight; beyond it callers are told to come again, while memory is still flat. */
  readonly maxJobsHeld?: number;
}

interface Waiting {
  readonly request: AcceptRequest;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit, as a wrapper over the port: requests that arrive together share one call of the store, and so
 * one journal write. A group leaves as soon as the store is free, and a large one looks up its jobs while the one
 * before it is written; nothing ever waits for a timer. Each request still passes or fails alone, but a Fault of the
 * store is the Fault of the whole group.
 */
export function groupCommit(store: DeletionStore, options: GroupCommitOptions): DeletionStore {
  const { clock, maxGroupJobs = 2_000, aloneFromJobs = 500, maxJobsHeld = 200_000 } = options;
  const { secondFromJobs = Infinity } = options;

  const commit = async (taken: readonly Waiting[], inTurn: InTurn) => {
    const group = rejectLate(taken, clock.now());
    if (group.length === 0) return;
    const writeInTime: InTurn = (write) =>
      inTurn(() => {
        if (group.every((waiting) => isLate(waiting, clock.now()))) throw tooLate();
        return write();
      });
    try {
      const requests = group.map(({ request }) => request);
      const outcomes = await store.acceptDeletions(requests, writeInTime);
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Fault('internal', 'the store has not answered the request'));
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  // One write at a time in each lane: MongoDB spends twice as much on a claim when four inserts are at it at once, and
  // several of the largest would fill the cache of a small server. Small requests never wait for a large one.
  const laneOf = (maxGroupWeight: number) => {
    const inTurn = oneAtATime();
    return createLane<Waiting>({
      take: (group) => commit(group, inTurn),
      weigh: jobsOf,
      maxGroupWeight,
      maxGroupsInFlight: 2,
      minWeightBeside: secondFromJobs,
      defer: clock.defer,
    });
  };
  const small = laneOf(maxGroupJobs);
  const alone = laneOf(1);

  let jobsHeld = 0;
  const acceptOne = async (request: AcceptRequest) => {
    const jobs = request.jobIds.length;
    if (jobsHeld + jobs > maxJobsHeld) throw new Fault('unavailable', 'too many jobs wait to be accepted');
    jobsHeld += jobs;
    try {
      return await new Promise<AcceptOutcome>((resolve, reject) => {
        const lane = jobs < aloneFromJobs ? small : alone;
        lane({ request, resolve, reject });
      });
    } finally {
      jobsHeld -= jobs;
    }
  };

  return {
    acceptDeletions: (requests) => Promise.all(requests.map(acceptOne)),
    findUnavailableJobs: (accountId, jobIds) => store.findUnavailableJobs(accountId, jobIds),
  };
}

function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (write) => {
    const written = last.then(write);
    last = written.catch(() => undefined);
    return written;
  };
}

function jobsOf({ request }: Waiting): number {
  return request.jobIds.length;
}

/** Work for a caller that has stopped waiting is lost work, and keeps the others waiting too. */
function rejectLate(group: readonly Waiting[], nowMs: number): Waiting[] {
  return group.filter((waiting) => {
    if (!isLate(waiting, nowMs)) return true;
    waiting.reject(tooLate());
    return false;
  });
}

function isLate({ request: { deadlineMs } }: Waiting, nowMs: number): boolean {
  return deadlineMs !== undefined && deadlineMs <= nowMs;
}

function tooLate(): Fault {
  return new Fault('unavailable', 'the store was not free before the deadline');
}
