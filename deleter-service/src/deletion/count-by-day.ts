import { createFairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import { type Clock, withTimeLimit } from '@jobs-delete/runtime/time/clock';
import { isFinal } from '../store/deletion.ts';
import type { Store } from '../store/store.ts';
import type { CountDeletionsQuery, StateCounts } from '../store/receipt-store.ts';

export interface DayCounts {
  /** The start of the UTC day. */
  readonly dayMs: number;
  /** States without deletions are absent. */
  readonly states: readonly StateCounts[];
}

export interface CountByDayOptions {
  readonly store: Pick<Store, 'countDeletions'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export type CountByDay = (
  query: CountDeletionsQuery,
  deadlineMs: number | undefined,
) => Promise<readonly DayCounts[]>;

export const dayLengthMs = 86_400_000;
/** Clocks of several apis differ, and an accepted deletion is stored a moment later. */
const settledAfterMs = 900_000;
const keptMs = 3_600_000;
const maxKeptDays = 30_000;
/** The days that are read at the same time, of all accounts. Small: acceptance has priority. */
const maxRunning = 2;
const maxWaiting = 200;

/**
 * Creates a function that counts an account's deletions by the UTC day of their acceptance. It returns every day of the
 * range, ascending. A past day whose deletions are all completed or cancelled does not change, and stays in memory for an hour.
 * Serves the accounts round robin. Throws a Fault if the time is up, or if too many counts wait. Figures: docs/decisions/deletion-counts.md
 */
export function createCountByDay({ store, clock }: CountByDayOptions): CountByDay {
  const reads = createFairSemaphore({ maxRunning, maxWaiting });
  const kept = new Map<string, { readonly counts: DayCounts; readonly untilMs: number }>();

  const keep = (key: string, counts: DayCounts) => {
    kept.delete(key);
    kept.set(key, { counts, untilMs: clock.now() + keptMs });
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKeptDays) break;
      kept.delete(oldest);
    }
  };
  /** @param key undefined for a part of a day, which is not kept */
  const readDay = async (query: CountDeletionsQuery, dayMs: number, key: string | undefined) => {
    const counts = { dayMs, states: await store.countDeletions(query) };
    const isPast = query.toMs + settledAfterMs < clock.now();
    if (key !== undefined && isPast && counts.states.every(({ state }) => isFinal(state))) keep(key, counts);
    return counts;
  };

  const countDay = async (query: CountDeletionsQuery, deadlineMs: number): Promise<DayCounts> => {
    const { accountId, fromMs, toMs, tokenId = '' } = query;
    const dayMs = fromMs - (fromMs % dayLengthMs);
    const isWhole = toMs - fromMs === dayLengthMs;
    const key = isWhole ? JSON.stringify([dayMs, accountId, tokenId]) : undefined;
    const known = key === undefined ? undefined : kept.get(key);
    if (known !== undefined && known.untilMs > clock.now()) return known.counts;
    // A read that hangs holds its permit only while its caller waits. It goes on without one.
    const read = () => before(deadlineMs, clock, () => readDay(query, dayMs, key));
    const counts = await reads.run(accountId, read);
    if (counts === 'full') throw new Fault('unavailable', 'too many counts of days wait');
    return counts;
  };

  return async (query, deadlineMs = Infinity) => {
    const days = daysOf(query);
    const counted: DayCounts[] = [];
    for (let first = 0; first < days.length; first += maxRunning) {
      const next = days.slice(first, first + maxRunning);
      counted.push(...(await Promise.all(next.map((day) => countDay(day, deadlineMs)))));
    }
    return counted;
  };
}

/** Rejects with a Fault at the deadline, and begins nothing after it. What has begun goes on. */
async function before<Result>(
  deadlineMs: number,
  clock: Pick<Clock, 'now' | 'sleep'>,
  begin: () => Promise<Result>,
): Promise<Result> {
  const failLate = () => {
    throw new Fault('unavailable', 'the counts of the days took too long');
  };
  const leftMs = deadlineMs - clock.now();
  return leftMs <= 0 ? failLate() : withTimeLimit(begin(), leftMs, failLate, clock);
}

/** Splits the range at midnight UTC. */
function daysOf({ fromMs, toMs, ...rest }: CountDeletionsQuery): CountDeletionsQuery[] {
  const days: CountDeletionsQuery[] = [];
  for (let from = fromMs; from < toMs;) {
    const to = Math.min(toMs, from - (from % dayLengthMs) + dayLengthMs);
    days.push({ ...rest, fromMs: from, toMs: to });
    from = to;
  }
  return days;
}
