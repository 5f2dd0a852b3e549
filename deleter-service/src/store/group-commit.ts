import { largeRequestJobs } from '@jobs-delete/proto/large-request';
import { createFairPermits } from '@jobs-delete/runtime/batching/fair-permits';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import { callStore, refuseLate, type CallEvents, type Waiting } from './accept-call.ts';
import { createLane, type Lane } from './accept-lane.ts';
import type { AcceptOutcome, AcceptRequest, DeletionAcceptor, DeletionStore } from './store.ts';

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
  /** A call is late if it has not answered all its requests after this time. */
  readonly lateMs?: number;
}

/**
 * Group commit: requests that arrive together share one call of the store, and so one journal write. A group starts as
 * soon as the store is free, never after a timer. Accounts are served round robin, and large requests never delay small ones.
 *
 * An account holds only itself. If a group is late or fails, its unanswered accounts are set apart: each of their requests
 * is sent once more, without other accounts, and the first answer counts (calls are repeatable). An account that is set
 * apart returns to the groups when such a call is answered in time. So an account costs the others one late group, and a
 * store that is slow for all gets each request twice at most (docs/decisions/batches.md).
 */
export function groupCommit(store: DeletionStore, options: GroupCommitOptions): DeletionAcceptor {
  const { clock, largeFromJobs = largeRequestJobs } = options;
  const { maxSmallJobs = 100_000, maxLargeJobs = 150_000 } = options;
  const smallPermits = createFairPermits({ total: () => maxSmallJobs });
  const largePermits = createFairPermits({ total: () => maxLargeJobs });
  const small = createSmallLanes(store, options);
  const large = createLargeLane(store, options);
  const held = new Set<Waiting>();
  let isWatching = false;

  /** Answers each request at its deadline, so that nothing is held longer, even by a store that never answers. */
  const watchDeadlines = async () => {
    if (isWatching) return;
    isWatching = true;
    while (held.size > 0) {
      await clock.sleep(deadlineCheckMs);
      refuseLate(held, clock.now());
      small.forgetAnswered();
      large.forgetAnswered();
    }
    isWatching = false;
  };

  const hold = (request: AcceptRequest, isLarge: boolean) =>
    new Promise<Awaited<ReturnType<DeletionAcceptor['acceptDeletion']>>>((resolve, reject) => {
      const { accountId, jobIds } = request;
      const waiting: Waiting = {
        ...{ request, isOpen: true, isSent: false, isRetried: false, attempts: 1, fault: undefined },
        settle: (outcome) => {
          if (!waiting.isOpen) return;
          waiting.isOpen = false;
          held.delete(waiting);
          (isLarge ? largePermits : smallPermits).give(accountId, jobIds.length);
          if (outcome instanceof Fault) reject(outcome);
          else resolve(isOwnRepetition(waiting, outcome) ? asFirst(outcome) : outcome);
        },
      };
      held.add(waiting);
      (isLarge ? large : small).push(waiting);
      void watchDeadlines();
    });

  return {
    acceptDeletion: async (request) => {
      const { accountId, jobIds } = request;
      const isLarge = jobIds.length >= largeFromJobs;
      if (!(isLarge ? largePermits : smallPermits).take(accountId, jobIds.length))
        throw new Fault('busy', 'too many jobs wait to be accepted');
      return hold(request, isLarge);
    },
  };
}

const deadlineCheckMs = 250;

/** The second attempt may be answered first. Then nobody has passed the deletion on to the relay yet. */
function isOwnRepetition({ isRetried }: Waiting, outcome: AcceptOutcome): outcome is Accepted {
  return isRetried && outcome.kind === 'accepted' && outcome.deletion.state === 'accepted';
}

type Accepted = Extract<AcceptOutcome, { kind: 'accepted' }>;

function asFirst({ kind, deletion }: Accepted): Accepted {
  return { kind, deletion };
}

function createLargeLane(store: DeletionStore, { clock, lateMs = 1_000 }: GroupCommitOptions): Lane {
  /** Accounts that were late. They may not fill the lane. */
  const slow = new Set<string>();
  return createLane({
    // The insert of 10,000 jobs may take a second on a busy server.
    ...{ clock, lateMs: 3 * lateMs, maxInFlight: 4, maxHung: 8 },
    take: (queue, isBusy, hung) =>
      queue.takeOf(1, (account) => !isBusy(account) && (hung < 2 || !slow.has(account))),
    call: (taken) => {
      const account = taken[0]?.request.accountId ?? '';
      return callStore(taken, store, clock, {
        onLate: () => void slow.add(account),
        onAnsweredInTime: () => void slow.delete(account),
      });
    },
  });
}

/** Creates the lane of groups, and the lane of the accounts that are set apart. */
function createSmallLanes(store: DeletionStore, options: GroupCommitOptions): Lane {
  const { clock, lateMs = 1_000, maxGroupJobs = 2_000, secondFromJobs = Infinity } = options;
  const apart = new Set<string>();
  /** Accounts that were late alone. They may not fill the lane of those that wait to prove themselves. */
  const slow = new Set<string>();

  const sendAlone = (waiting: Waiting) => {
    apart.add(waiting.request.accountId);
    if (waiting.isRetried || !waiting.isOpen) return;
    waiting.isRetried = true;
    waiting.attempts += 1;
    alone.push(waiting);
  };
  const groups = createLane({
    ...{ clock, lateMs, maxInFlight: 2, maxHung: 4 },
    mayStart: (inFlight, queuedJobs) => inFlight === 0 || queuedJobs >= secondFromJobs,
    take: (queue) => queue.take(maxGroupJobs),
    call: (taken) => {
      const isApart = ({ request }: Waiting) => apart.has(request.accountId);
      for (const one of taken.filter(isApart)) alone.push(one);
      const group = taken.filter((one) => !isApart(one));
      const isShared = new Set(group.map(({ request }) => request.accountId)).size > 1;
      const onFault: CallEvents['onFault'] = (one, { code }) => {
        // A busy store is busy for each account alone too.
        if (isShared && code !== 'busy') sendAlone(one);
      };
      return callStore(group, store, clock, { onFault, onLate: (open) => open.forEach(sendAlone) });
    },
  });
  const alone = createLane({
    ...{ clock, lateMs, maxInFlight: 8, maxHung: 8 },
    take: (queue, isBusy, hung) =>
      queue.takeOf(maxGroupJobs, (account) => !isBusy(account) && (hung < 4 || !slow.has(account))),
    call: (taken) => {
      const account = taken[0]?.request.accountId ?? '';
      return callStore(taken, store, clock, {
        onLate: () => void slow.add(account),
        onAnsweredInTime: () => {
          slow.delete(account);
          apart.delete(account);
        },
      });
    },
  });

  return {
    push: (waiting) => (apart.has(waiting.request.accountId) ? alone : groups).push(waiting),
    forgetAnswered: () => {
      groups.forgetAnswered();
      alone.forgetAnswered();
    },
  };
}
