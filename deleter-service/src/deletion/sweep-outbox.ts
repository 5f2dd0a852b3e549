import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { Deletion } from '../store/deletion.ts';
import type { Store } from '../store/store.ts';

/** A deletion in memory. */
export interface Waiting {
  readonly deletion: Deletion;
  readonly leasedUntilMs: number;
  /** Gives its memory back. */
  readonly release: () => void;
}

/** The most jobs that one sweep reads. If memory has that many, a sweep leases one deletion, of an account with none there. */
const maxSweptJobs = 20_000;

/** With that many jobs of sweeps in memory, a sweep reads none. */
const maxWaitingJobs = 200_000;

/** The most accounts that a sweep leaves out. */
const maxExceptAccounts = 1_000;

export interface SweepOptions {
  readonly store: Pick<Store, 'leaseDue'>;
  readonly clock: Clock;
  readonly onError: (error: unknown, attempt: number) => void;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly maxDeletions: number;
  /** Called when a sweep ends. */
  readonly onEnd: () => void;
}

/** A deletion may be due some seconds before it is inserted, and clocks differ. */
const dueLateMs = 60_000;
const fullSweepMs = 60_000;

/**
 * Leases due deletions into the queue. Leaves out accounts whose leased deletions still wait there.
 *
 * The index of due times keeps the keys of completed deletions for minutes. So a sweep starts where the previous one found
 * nothing, except once a minute, after a step of the clock, and when an account is no longer left out.
 */
export function createSweep(
  { store, clock, onError, onEnd, ...options }: SweepOptions,
  push: (item: Waiting) => void,
  stopping: AbortSignal,
) {
  const { leaseMs, sweepMs, maxDeletions } = options;
  const waiting = createWaitingJobs(() => (hasMore = true));
  let hasMore = true;
  let sweptAtMs = -Infinity;
  let fullAtMs = -Infinity;
  /** No deletion was due before this time, except those of these accounts. `Infinity`: not known yet. */
  let clean = { atMs: Infinity, exceptAccounts: [] as readonly string[] };

  const isTime = (lastMs: number, intervalMs: number) => {
    const nowMs = clock.now();
    return nowMs >= lastMs + intervalMs || nowMs < lastMs;
  };
  const startOf = (nowMs: number): number => {
    const isClean = clean.atMs <= nowMs && clean.exceptAccounts.every(waiting.has);
    if (isClean && !isTime(fullAtMs, fullSweepMs)) return clean.atMs - dueLateMs;
    fullAtMs = nowMs;
    return 0;
  };
  const lease = async () => {
    const nowMs = clock.now();
    const untilMs = nowMs + leaseMs;
    const exceptAccounts = waiting.accounts();
    const maxJobs = Math.max(1, maxSweptJobs - waiting.jobs());
    const query = { nowMs, fromMs: startOf(nowMs), untilMs, maxDeletions, maxJobs, exceptAccounts };
    const due = await store.leaseDue(query);
    if (due.length === 0) clean = { atMs: nowMs, exceptAccounts };
    for (const deletion of due) {
      const { accountId, jobIds } = deletion;
      waiting.add(accountId, jobIds.length);
      push({ deletion, leasedUntilMs: untilMs, release: () => waiting.add(accountId, -jobIds.length) });
    }
    return due.length;
  };
  let running: Promise<void> | undefined;
  /** Leases none when the store fails; the next sweep is on time then. */
  const run = async () => {
    sweptAtMs = clock.now();
    hasMore = false;
    try {
      if (waiting.hasRoom() && (await lease()) > 0) hasMore = true;
    } catch (error) {
      onError(error, 1);
    }
  };
  return {
    isDue: () => !stopping.aborted && running === undefined && isTime(sweptAtMs, sweepMs),
    /** More may be due than the last sweep has leased. */
    hasMore: () => hasMore && running === undefined && waiting.hasRoom() && !stopping.aborted,
    /** Deletions of the account are left in the outbox, so the next sweep must not wait for its time. */
    expectMore: (accountId: string) => {
      if (!waiting.has(accountId)) hasMore = true;
    },
    /** Leases due deletions, unless another sweep is in progress. */
    start: () => {
      running ??= run().then(() => {
        running = undefined;
        onEnd();
      });
    },
    /** Resolves when the sweep in progress ends. Resolves to false if there is none. */
    ended: async () => {
      const isRunning = running !== undefined;
      await running;
      return isRunning;
    },
  };
}

/** The leased deletions that wait in memory. */
function createWaitingJobs(onAccountDone: () => void) {
  const jobsOf = new Map<string, number>();
  let jobs = 0;
  return {
    jobs: () => jobs,
    has: (accountId: string) => jobsOf.has(accountId),
    accounts: () => [...jobsOf.keys()],
    hasRoom: () => jobs < maxWaitingJobs && jobsOf.size < maxExceptAccounts,
    add: (accountId: string, more: number) => {
      const sum = (jobsOf.get(accountId) ?? 0) + more;
      jobs += more;
      if (sum > 0) jobsOf.set(accountId, sum);
      else {
        jobsOf.delete(accountId);
        // Its other deletions are no longer left out.
        onAccountDone();
      }
    },
  };
}
