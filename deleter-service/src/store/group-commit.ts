import { Fault } from '@jobs-delete/runtime/fault';
import { createBatcher, type Batcher } from '@jobs-delete/runtime/batching/batcher';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { AcceptOutcome, AcceptRequest, DeletionAcceptor, DeletionStore } from './store.ts';
import { createThroughput } from './throughput.ts';

export interface GroupCommitOptions {
  readonly clock: Pick<Clock, 'defer' | 'now'>;
  /** Maximum jobs of a group. */
  readonly maxGroupJobs?: number;
  /** A request with at least this many jobs goes alone: a group would not make it faster. */
  readonly aloneFromJobs?: number;
  /** Minimum queued jobs before a second group may start beside the first. Default: one group at a time. */
  readonly secondFromJobs?: number;
  /** Maximum jobs of small requests, queued and in flight. Large requests have a limit of their own. */
  readonly maxSmallJobs?: number;
  readonly maxLargeJobs?: number;
}

interface Waiting {
  readonly request: AcceptRequest;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: requests that arrive together share one call of the store, and so one journal write. A group starts as
 * soon as the store is free, never after a timer. The store accepts or refuses each request alone; if its call fails, all
 * requests of the group fail. Accounts take turns, and large requests never delay small ones.
 */
export function groupCommit(store: DeletionStore, options: GroupCommitOptions): DeletionAcceptor {
  const { clock, maxGroupJobs = 2_000, aloneFromJobs = 500, secondFromJobs = Infinity } = options;
  const { maxSmallJobs = 100_000, maxLargeJobs = 150_000 } = options;
  const common = { store, clock, minWeightBeside: secondFromJobs };
  const small = createAcceptQueue({
    ...common,
    maxGroupWeight: maxGroupJobs,
    maxJobs: maxSmallJobs,
    // A group with one job takes about as long as a group with many.
    effortOf: (jobs) => Math.ceil(jobs / maxGroupJobs),
  });
  const large = createAcceptQueue({
    ...common,
    maxGroupWeight: 1,
    maxJobs: maxLargeJobs,
    effortOf: (jobs) => jobs,
  });

  return {
    acceptDeletion: (request) => (request.jobIds.length < aloneFromJobs ? small : large)(request),
    findMissingJobs: (accountId, jobIds) => store.findMissingJobs(accountId, jobIds),
  };
}

interface AcceptQueueOptions {
  readonly store: DeletionStore;
  readonly clock: Pick<Clock, 'defer' | 'now'>;
  readonly maxGroupWeight: number;
  readonly minWeightBeside: number;
  readonly maxJobs: number;
  /** Returns the cost of `jobs` jobs for the store, in any unit. */
  readonly effortOf: (jobs: number) => number;
}

/**
 * Refuses a request at once if it can't make its deadline at the current throughput, or if the queue is full. A full queue
 * drops a request of the account with the longest backlog instead, if that is another account.
 */
function createAcceptQueue({ store, clock, maxJobs, effortOf, ...weights }: AcceptQueueOptions) {
  let jobsInFlight = 0;
  const throughput = createThroughput(clock);
  const batcher = createBatcher<Waiting>({
    ...weights,
    take: async (group) => {
      const jobs = jobsOf(group);
      const work = throughput.begin(effortOf(jobs));
      jobsInFlight += jobs;
      const isStored = await commit(group, store, clock);
      jobsInFlight -= jobs;
      work.end(isStored);
    },
    weigh: ({ request }) => request.jobIds.length,
    keyOf: ({ request }) => request.accountId,
    maxGroupsInFlight: 2,
    defer: clock.defer,
  });
  const jobsHeld = () => jobsInFlight + batcher.weight();

  return async (request: AcceptRequest): Promise<AcceptOutcome> => {
    const jobs = request.jobIds.length;
    const waitMs = throughput.msFor(effortOf(jobsInFlight + jobsAhead(request, batcher)));
    if (clock.now() + waitMs > (request.deadlineMs ?? Infinity))
      throw new Fault('unavailable', 'too many jobs wait: the deadline is out of reach');
    while (jobsHeld() + jobs > maxJobs && jobsHeld() > 0)
      if (!dropForOther(request, batcher))
        throw new Fault('unavailable', 'too many jobs wait to be accepted');
    return new Promise((resolve, reject) => batcher.push({ request, resolve, reject }));
  };
}

/** Returns the jobs of the request and of those before it: accounts take turns. */
function jobsAhead({ accountId, jobIds }: AcceptRequest, batcher: Batcher<Waiting>): number {
  const own = batcher.weight(accountId);
  const accounts = batcher.keys() + (own === 0 ? 1 : 0);
  return Math.min(batcher.weight() + jobIds.length, (own + jobIds.length) * accounts);
}

/** Drops a request of another account. @returns false if no other account has a longer backlog */
function dropForOther({ accountId, jobIds }: AcceptRequest, batcher: Batcher<Waiting>): boolean {
  if (batcher.longest() <= batcher.weight(accountId) + jobIds.length) return false;
  const dropped = batcher.dropFromLongest();
  dropped?.reject(new Fault('unavailable', 'too many jobs of the account wait to be accepted'));
  return dropped !== undefined;
}

/** Settles every request of the group. @returns false if the call of the store failed */
async function commit(
  taken: readonly Waiting[],
  store: DeletionStore,
  clock: Pick<Clock, 'now'>,
): Promise<boolean> {
  const group = rejectLate(taken, clock.now());
  if (group.length === 0) return false;
  try {
    const outcomes = await store.acceptDeletions(group.map(({ request }) => request));
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined)
        reject(new Fault('internal', 'the store returned no outcome for the request'));
      else if (outcome.kind === 'deferred') outcome.outcome().then(resolve, reject);
      else resolve(outcome);
    }
    return true;
  } catch (error) {
    for (const { reject } of group) reject(error);
    return false;
  }
}

function jobsOf(group: readonly Waiting[]): number {
  return group.reduce((sum, { request }) => sum + request.jobIds.length, 0);
}

function rejectLate(group: readonly Waiting[], nowMs: number): Waiting[] {
  return group.filter(({ request: { deadlineMs }, reject }) => {
    if (deadlineMs === undefined || deadlineMs > nowMs) return true;
    reject(new Fault('unavailable', 'the store was not free before the deadline'));
    return false;
  });
}
