import { Fault } from '@jobs-delete/runtime/fault';
import type { Clock } from '../deletion/clock.ts';
import type { AcceptOutcome, AcceptRequest, DeletionStore } from './store.ts';

export interface GroupCommitOptions {
  readonly clock: Pick<Clock, 'defer' | 'now'>;
  /** A group is closed at this many jobs. */
  readonly maxGroupJobs?: number;
  /** A request of this many jobs gains nothing from company and goes alone. */
  readonly aloneFromJobs?: number;
  /** How many groups of small requests, and how many requests that go alone, are in flight. */
  readonly maxGroupsInFlight?: number;
  readonly maxAloneInFlight?: number;
}

interface Waiting {
  readonly request: AcceptRequest;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit, as a wrapper over the port: requests that arrive together share one call of the store, and so
 * one journal write. A group leaves as soon as the store is free; nothing ever waits for a timer. Each request
 * still passes or fails alone, but a Fault of the store is the Fault of the whole group.
 */
export function groupCommit(store: DeletionStore, options: GroupCommitOptions): DeletionStore {
  const {
    clock,
    maxGroupJobs = 1_000,
    aloneFromJobs = 100,
    maxGroupsInFlight = 1,
    maxAloneInFlight = 4,
  } = options;

  const commit = async (taken: readonly Waiting[]) => {
    const group = rejectLate(taken, clock.now());
    if (group.length === 0) return;
    try {
      const outcomes = await store.acceptDeletions(group.map(({ request }) => request));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) reject(new Fault('internal', 'the store has not answered the request'));
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const small = createLane(commit, clock, maxGroupsInFlight, maxGroupJobs);
  const alone = createLane(commit, clock, maxAloneInFlight, 1);

  const acceptOne = (request: AcceptRequest) =>
    new Promise<AcceptOutcome>((resolve, reject) => {
      const lane = request.jobIds.length < aloneFromJobs ? small : alone;
      lane({ request, resolve, reject });
    });

  return {
    acceptDeletions: (requests) => Promise.all(requests.map(acceptOne)),
    findUnavailableJobs: (accountId, jobIds) => store.findUnavailableJobs(accountId, jobIds),
  };
}

/** Work for a caller that has stopped waiting is lost work, and keeps the others waiting too. */
function rejectLate(group: readonly Waiting[], nowMs: number): Waiting[] {
  return group.filter(({ request: { deadlineMs }, reject }) => {
    const isLate = deadlineMs !== undefined && deadlineMs <= nowMs;
    if (isLate) reject(new Fault('unavailable', 'the store was not free before the deadline'));
    return !isLate;
  });
}

/** A queue that is taken up in groups of up to `maxJobs` jobs (at least one request), `maxInFlight` at a time. */
function createLane(
  commit: (group: readonly Waiting[]) => Promise<void>,
  clock: Pick<Clock, 'defer'>,
  maxInFlight: number,
  maxJobs: number,
) {
  const queue: Waiting[] = [];
  let inFlight = 0;
  let deferred = false;

  const flush = () => {
    deferred = false;
    while (queue.length > 0 && inFlight < maxInFlight) {
      inFlight += 1;
      void commit(takeGroup(queue, maxJobs)).finally(() => {
        inFlight -= 1;
        flush();
      });
    }
  };

  return (waiting: Waiting) => {
    queue.push(waiting);
    // Requests that the same turn of the event loop has brought leave together.
    if (deferred) return;
    deferred = true;
    clock.defer(flush);
  };
}

function takeGroup(queue: Waiting[], maxJobs: number): Waiting[] {
  let jobs = queue[0]?.request.jobIds.length ?? 0;
  let count = 1;
  for (; count < queue.length; count++) {
    jobs += queue[count]?.request.jobIds.length ?? 0;
    if (jobs > maxJobs) break;
  }
  return queue.splice(0, count);
}
