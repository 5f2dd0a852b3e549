import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { createFairPermits } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import {
  accountOf,
  createLane,
  refuseLate,
  type Lane,
  type LaneOptions,
  type Waiting,
} from './accept-lane.ts';
import type { AcceptOutcome, AcceptRequest, DeletionStore } from './store.ts';

/** Accepts one request at a time, for callers above the store. */
export interface DeletionAcceptor {
  /** @throws Fault */
  acceptDeletion(request: AcceptRequest): Promise<AcceptOutcome>;
}

export interface GroupCommitOptions {
  readonly clock: Pick<Clock, 'defer' | 'now' | 'sleep'>;
  /** Maximum jobs of a group. */
  readonly maxGroupJobs?: number;
  /** A request with at least this many jobs goes alone: a group would not make it faster. */
  readonly largeFromJobs?: number;
  /** Minimum queued jobs before a second group may start beside the first. Default: one group at a time. */
  readonly secondFromJobs?: number;
  /** Maximum jobs of small requests, queued and in flight. Large requests have a limit of their own. */
  readonly maxSmallJobs?: number;
  readonly maxLargeJobs?: number;
}

/**
 * Group commit: requests that arrive together share one call of the store, and so one journal write. A group starts as
 * soon as the store is free, never after a timer. Accounts are served round robin, and large requests never delay small ones.
 *
 * A slow account delays only itself. If a group is late or fails, its unanswered accounts are set apart: each of their requests
 * is sent once more, without other accounts, and the first answer counts (calls are repeatable). An account that is set
 * apart returns to the groups when such a call is answered in time. So an account costs the others one late group, and a
 * store that is slow for all gets each request twice at most (docs/decisions/batches.md).
 */
export function groupCommit(store: DeletionStore, options: GroupCommitOptions): DeletionAcceptor {
  const { clock, largeFromJobs = largeRequestJobs, maxSmallJobs = 100_000, maxLargeJobs = 150_000 } = options;
  const [pushSmall, ...smallLanes] = createSmallLanes(store, options);
  const largeLane = createLargeLane(store, options);
  const lanes = [...smallLanes, largeLane];
  const small = { push: pushSmall, permits: createFairPermits({ total: () => maxSmallJobs }) };
  const large = { push: largeLane.push, permits: createFairPermits({ total: () => maxLargeJobs }) };
  const held = new Set<Waiting>();
  let isTicking = false;

  /** Answers each request at its deadline, so that nothing is held longer, even by a store that never answers. */
  const tick = async () => {
    if (isTicking) return;
    isTicking = true;
    while (held.size > 0 || lanes.some((lane) => lane.hasCalls())) {
      await clock.sleep(tickMs);
      refuseLate(held, clock.now());
      for (const lane of lanes) lane.tick();
    }
    isTicking = false;
  };

  return {
    acceptDeletion: async (request) => {
      const { accountId, jobIds } = request;
      const { permits, push } = jobIds.length >= largeFromJobs ? large : small;
      if (!permits.take(accountId, jobIds.length))
        throw new Fault('busy', 'too many jobs wait to be accepted');
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          request,
          settle: (outcome) => {
            if (!waiting.isOpen) return;
            waiting.isOpen = false;
            held.delete(waiting);
            permits.give(accountId, jobIds.length);
            if (outcome instanceof Fault) reject(outcome);
            else resolve(waiting.isRetried ? withoutOwnRepetition(outcome) : outcome);
          },
          isOpen: true,
          isSent: false,
          isRetried: false,
          attempts: 1,
          writes: 0,
          fault: undefined,
          refusal: undefined,
        };
        held.add(waiting);
        push(waiting);
        void tick();
      });
    },
  };
}

const tickMs = 100;
/** A group is late after this time, plus at most one tick. */
const lateMs = 1_000;

/**
 * The store may report the first attempt's record as a repetition. Drops that mark, so that the caller passes the deletion on to
 * the relay.
 */
function withoutOwnRepetition(outcome: AcceptOutcome): AcceptOutcome {
  if (outcome.kind !== 'accepted' || outcome.deletion.state !== 'accepted') return outcome;
  return { kind: 'accepted', deletion: outcome.deletion };
}

function createLargeLane(store: DeletionStore, { clock }: GroupCommitOptions): Lane {
  // The insert of 10,000 jobs may take a second on a busy server.
  return createAccountLane({ store, clock, lateMs: 3 * lateMs, maxInFlight: 4, maxSlow: 2, maxJobs: 1 });
}

/**
 * Creates the lane of groups, and the lane of the accounts that are set apart. No account has requests queued in both.
 * @returns a function that queues a request in one of them, and both
 */
function createSmallLanes(store: DeletionStore, options: GroupCommitOptions): [Lane['push'], ...Lane[]] {
  const { clock, maxGroupJobs = 2_000, secondFromJobs = Infinity } = options;
  const apart = new Set<string>();

  const setApart = (waiting: Waiting) => {
    const { accountId } = waiting.request;
    apart.add(accountId);
    if (!waiting.isRetried && waiting.isOpen) {
      waiting.isRetried = true;
      waiting.attempts += 1;
      alone.push(waiting);
    }
    for (const queued of groups.takeAll(accountId)) alone.push(queued);
  };
  const groups = createLane({
    store,
    clock,
    lateMs,
    maxInFlight: 2,
    maxHung: 4,
    mayStart: (inFlight, queuedJobs) => inFlight === 0 || queuedJobs >= secondFromJobs,
    take: (queue) => queue.take(maxGroupJobs),
    onFault: (one, { code }, group) => {
      const isShared = group.some(({ request }) => request.accountId !== accountOf(group));
      // A busy store is busy for each account alone too.
      if (isShared && code !== 'busy') setApart(one);
    },
    onLate: (open) => open.forEach(setApart),
  });
  const alone = createAccountLane({
    store,
    clock,
    lateMs,
    maxInFlight: 8,
    maxSlow: 4,
    maxJobs: maxGroupJobs,
    onAnsweredInTime: (account) => void apart.delete(account),
  });

  const push = (waiting: Waiting) => (apart.has(waiting.request.accountId) ? alone : groups).push(waiting);
  return [push, groups, alone];
}

interface AccountLaneOptions extends Pick<LaneOptions, 'store' | 'clock' | 'lateMs' | 'maxInFlight'> {
  /** Maximum jobs of a call. */
  readonly maxJobs: number;
  /** At this number of hung calls, no account starts that was late the last time: such accounts may not fill the lane. */
  readonly maxSlow: number;
  readonly onAnsweredInTime?: (account: string) => void;
}

/** Creates a lane whose calls have one account each, and which has one call of an account at a time. */
function createAccountLane({ maxJobs, maxSlow, onAnsweredInTime, ...options }: AccountLaneOptions): Lane {
  const slow = new Set<string>();
  return createLane({
    ...options,
    maxHung: 8,
    take: (queue, isBusy, hung) =>
      queue.takeOf(maxJobs, (account) => !isBusy(account) && (hung < maxSlow || !slow.has(account))),
    onLate: (open) => void slow.add(accountOf(open)),
    onAnsweredInTime: (group) => {
      slow.delete(accountOf(group));
      onAnsweredInTime?.(accountOf(group));
    },
  });
}
