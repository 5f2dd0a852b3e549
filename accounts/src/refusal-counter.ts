import type { Clock } from '@jobs-delete/runtime/time/clock';

/** How long the counts of a day are kept. */
export const refusalRetentionDays = 40;

/** How many requests of an account were refused with a code on a day. */
export interface RefusalCount {
  readonly accountId: string;
  /** In UTC, such as `2026-01-31`. */
  readonly day: string;
  /** A `code` of the HTTP problems. */
  readonly code: string;
  readonly count: number;
}

export interface RefusalCounts {
  /** Adds to the stored counts. A count for an account that does not exist is ignored. */
  addRefusals(counts: readonly RefusalCount[]): Promise<void>;
  /** From this day on, ordered by day, then code. */
  listRefusals(accountId: string, fromDay: string): Promise<readonly RefusalCount[]>;
  /** Removes the counts of earlier days. */
  expireRefusals(beforeDay: string): Promise<void>;
}

export interface RefusalCounterOptions {
  readonly counts: Pick<RefusalCounts, 'addRefusals' | 'expireRefusals'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly onError: (error: unknown) => void;
  /** Called with the number of refusals that are not counted, because too many pairs are in memory. */
  readonly onDropped: (refusals: number) => void;
}

export interface RefusalCounter {
  /** Returns at once and never throws. Only for existing accounts and for a fixed set of codes. */
  count(accountId: string, code: string): void;
  /** Resolves after the last flush, or after 2 s. */
  stop(): Promise<void>;
}

const flushEveryMs = 10_000;
const maxStopMs = 2_000;
/** Pairs of account and code, of one day. */
const maxPairs = 10_000;
const maxCountsPerWrite = 1_000;
const dayMs = 86_400_000;

/**
 * Counts the refused requests of each account in memory, and adds them to the stored counts every 10 s. A failed flush
 * keeps its counts for the next one. If its outcome is unknown, it may count them twice. A process that dies loses the
 * counts of at most 10 s. Removes counts older than `refusalRetentionDays` once a day.
 */
export function startRefusalCounter({
  counts,
  clock,
  onError,
  onDropped,
}: RefusalCounterOptions): RefusalCounter {
  const { add, takeAll } = createPendingCounts(onDropped);
  const stopping = new AbortController();
  let expiredOn: string | undefined;

  const flush = async () => {
    const taken = takeAll();
    try {
      while (taken.length > 0) {
        await counts.addRefusals(taken.slice(0, maxCountsPerWrite));
        taken.splice(0, maxCountsPerWrite);
      }
    } catch (error) {
      taken.forEach(add);
      onError(error);
    }
  };

  const expire = async () => {
    const today = dayOf(clock.now());
    if (expiredOn === today) return;
    try {
      await counts.expireRefusals(dayOf(clock.now() - refusalRetentionDays * dayMs));
      expiredOn = today;
    } catch (error) {
      onError(error);
    }
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(flushEveryMs, stopping.signal);
      await flush();
      await expire();
    }
  };
  const running = run();

  return {
    count: (accountId, code) => add({ accountId, day: dayOf(clock.now()), code, count: 1 }),
    stop: async () => {
      stopping.abort();
      const stopped = new AbortController();
      const finish = async () => {
        await running;
        await flush();
        stopped.abort();
      };
      // A database that is away must not delay the stop of the process.
      await Promise.race([finish(), clock.sleep(maxStopMs, stopped.signal)]);
    },
  };
}

function createPendingCounts(onDropped: RefusalCounterOptions['onDropped']) {
  const pending = new Map<string, RefusalCount>();
  return {
    add: ({ accountId, day, code, count }: RefusalCount) => {
      const key = `${day} ${code} ${accountId}`;
      const known = pending.get(key);
      if (known === undefined && pending.size >= maxPairs) onDropped(count);
      else pending.set(key, { accountId, day, code, count: count + (known?.count ?? 0) });
    },
    takeAll: () => {
      const taken = [...pending.values()];
      pending.clear();
      return taken;
    },
  };
}

/** Returns the UTC day, such as `2026-01-31`. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
