import { randomUUID } from 'node:crypto';
import { asFault, Fault } from '@jobs-delete/runtime/fault';
import { instant, type Instant, type ProcessClock } from '@jobs-delete/runtime/time/clock';
import { countAgainMs, maxCountAgeMs, type Guard, type LimitExceeded } from '../safety-rules.ts';
import type { AcceptRequest } from '../store.ts';
import type { Collections } from './collections.ts';
import {
  countAccountJobs,
  countAgeOf,
  countHeldJobs,
  readCertainUsage,
  writeUsage,
  type ClosingHold,
  type HoldDocument,
  type UsageDocument,
} from './usage.ts';

export type GuardedRequest = Pick<AcceptRequest, 'accountId' | 'jobIds' | 'acceptedAtMs' | 'deadlineMs'> & {
  readonly guard: Guard;
};

/** Jobs of a hold that one request uses. */
export interface Spend {
  readonly holdId: string;
  /** True if the jobs were taken so long ago that an insert might come after others have counted for the hold. */
  readonly isOld: () => boolean;
  /** Only the first call counts. `unknown`: the deletion may be inserted, now or later. */
  readonly end: (outcome: SpendOutcome) => void;
}

export type SpendOutcome = 'accepted' | 'refused' | 'unknown';

export type AccountLedger = ReturnType<typeof createAccountLedger>;

/** A hold is not used later than this after the last look that found it not wanted: it may be wanted since. */
const maxUnconfirmedMs = 5_000;
/** An insert starts within this time. A frozen process may wake up later. */
const maxSpendMs = 35_000;
const idleMs = 30_000;
/** Jobs count from the end of their hold. */
const maxHoldMs = 60_000;
/** An `accepted_at` outside the range of the hold needs another hold: the clock was set, or the request has waited. */
const beforeMs = 60_000;
const afterMs = 120_000;
/** Before the deadline: the caller still gets the answer. */
const answerMs = 500;
const retryMs = 50;

interface Hold {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly openedAt: Instant;
  confirmedAt: Instant;
  usedAt: Instant;
  left: number;
  inFlight: number;
  accepted: number;
  unknown: number;
}

interface Waiter {
  readonly request: GuardedRequest;
  readonly resolve: (answer: Spend | LimitExceeded) => void;
  readonly reject: (fault: Fault) => void;
}

/** Creates the ledger of the holds of one account in this process. One write at a time. */
export function createAccountLedger(accountId: string, collections: Collections, clock: ProcessClock) {
  let current: Hold | undefined;
  /** No longer used; on record until their last request has its outcome. */
  let closing: Hold[] = [];
  /** Of processes that are gone, with what their deletions say. */
  let recovered: ClosingHold[] = [];
  let waiting: Waiter[] = [];
  let counted: number | undefined;
  let counting: Promise<void> | undefined;
  let isRunning = false;
  /** True while the limit may be reached already: then a refusal needs a read only, and leaves nothing on record. */
  let mayBeReached = true;

  const since = ({ uptime, wallMs }: Instant) => Math.max(clock.uptime() - uptime, clock.now() - wallMs);
  /** Takes the jobs from the current hold. Undefined: it does not have enough. */
  const take = ({ jobIds, acceptedAtMs }: GuardedRequest): Spend | undefined => {
    const hold = current;
    const jobs = jobIds.length;
    if (hold === undefined || hold.left < jobs || since(hold.confirmedAt) > maxUnconfirmedMs)
      return undefined;
    if (acceptedAtMs < hold.fromMs || acceptedAtMs > hold.toMs) return undefined;
    const takenAt = instant(clock);
    hold.usedAt = takenAt;
    hold.left -= jobs;
    hold.inFlight += jobs;
    let isOpen = true;
    const end = (outcome: SpendOutcome) => {
      if (!isOpen) return;
      isOpen = false;
      hold.inFlight -= jobs;
      if (outcome === 'accepted') hold.accepted += jobs;
      else if (outcome === 'unknown') hold.unknown += jobs;
      else hold.left += jobs;
    };
    return { holdId: hold.id, isOld: () => since(takenAt) > maxSpendMs, end };
  };
  const serveWaiting = () => {
    waiting = waiting.filter(({ request, resolve }) => {
      const spend = take(request);
      if (spend !== undefined) resolve(spend);
      return spend === undefined;
    });
  };
  const closeCurrent = () => {
    if (current !== undefined) closing.push(current);
    current = undefined;
  };
  const hasWork = () =>
    waiting.length > 0 || recovered.length > 0 || closing.some(({ inFlight }) => inFlight === 0);

  /** Serves the waiting requests, and records the ends of holds. Never rejects. */
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      serveWaiting();
      while (hasWork()) {
        await step();
        serveWaiting();
      }
    } catch (error) {
      const fault = new Fault('unavailable', `the limit can't be checked: ${asFault(error).message}`, error);
      for (const { reject } of waiting.splice(0)) reject(fault);
    } finally {
      isRunning = false;
    }
  };

  const step = async (): Promise<void> => {
    const guard = waiting.at(-1)?.request.guard;
    if (guard !== undefined) closeCurrent();
    if (guard !== undefined && mayBeReached && closing.length === 0 && recovered.length === 0) {
      mayBeReached = false;
      await refuseCertain(guard);
      mayBeReached = waiting.length === 0;
      return;
    }
    const opened = openHold(waiting, instant(clock));
    const record = {
      closing: [...closing.map(closingOf), ...recovered],
      reserve: guard && reservationOf(opened, guard, waiting),
      counted,
    };
    let document: UsageDocument;
    try {
      document = await writeUsage(accountId, record, collections);
    } catch (error) {
      // Perhaps on record. It ends as unused.
      if (guard !== undefined) closing.push(opened);
      throw error;
    }
    const done = new Set(record.closing.flatMap(({ id, state }) => (state === 'open' ? [] : [id])));
    closing = closing.filter(({ id }) => !done.has(id));
    recovered = [];
    if (counted === record.counted) counted = undefined;
    if (guard === undefined) return;
    const granted = document.holds?.find(({ id }) => id === opened.id);
    mayBeReached = granted === undefined;
    if (granted === undefined) return refuseOrWait(guard);
    current = { ...opened, left: granted.jobs };
    if (guard.limit.kind === 'share' && countAgeOf(document) >= countAgainMs)
      // In the background: an older count serves until then.
      count().catch(() => undefined);
  };

  /** Refuses the requests that exceed the limit whatever becomes of other holds. @returns the abandoned holds */
  const refuseCertain = async (guard: Guard): Promise<readonly HoldDocument[]> => {
    const { used, limit, countAgeMs, abandoned } = await readCertainUsage(accountId, guard, collections);
    const exceeds = ({ request }: Waiter) => limit === null || used + request.jobIds.length > limit;
    if (guard.limit.kind === 'share' && waiting.some(exceeds)) {
      const isFresh = limit !== null && (countAgeMs ?? Infinity) < maxCountAgeMs;
      if (!isFresh) {
        await count();
        return [];
      }
    }
    waiting = waiting.filter((waiter) => {
      if (limit === null || !exceeds(waiter)) return true;
      waiter.resolve({ limit, used });
      return false;
    });
    return abandoned;
  };
  /** The requests that are not refused wait until holds are returned. */
  const refuseOrWait = async (guard: Guard): Promise<void> => {
    const abandoned = await refuseCertain(guard);
    if (waiting.length === 0 || counted !== undefined) return;
    for (const hold of abandoned) {
      const jobs = await countHeldJobs(accountId, hold, collections);
      recovered.push({ id: hold.id, state: 'ended', jobs });
    }
    if (abandoned.length === 0) await clock.sleep(retryMs);
  };

  /** The next write records the count. */
  const count = (): Promise<void> => {
    counting ??= countAccountJobs(accountId, collections)
      .then((jobs) => {
        counted = jobs;
      })
      .finally(() => {
        counting = undefined;
      });
    return counting;
  };

  /** A hold that is not returned in time does not refuse a request: it may be tried again. */
  const refuseLate = () => {
    const nowMs = clock.now();
    waiting = waiting.filter(({ request, reject }) => {
      const isLate = (request.deadlineMs ?? Infinity) - answerMs <= nowMs;
      if (isLate) reject(new Fault('busy', 'others have reserved the rest of the account’s limit'));
      return !isLate;
    });
  };

  return {
    take,
    /** Reserves the jobs. Refuses only what exceeds the limit whatever becomes of other holds. @throws Fault */
    reserve: (request: GuardedRequest) =>
      new Promise<Spend | LimitExceeded>((resolve, reject) => {
        waiting.push({ request, resolve, reject });
        void run();
      }),
    /** Ends an idle or old hold, refuses late requests, and records what is to be recorded. Returns false if nothing is left. */
    tidy: (): boolean => {
      refuseLate();
      if (current && (since(current.usedAt) >= idleMs || since(current.openedAt) >= maxHoldMs))
        closeCurrent();
      if (hasWork()) void run();
      return current !== undefined || closing.length > 0 || waiting.length > 0 || isRunning;
    },
    /** The hold in use. */
    currentHold: () => current?.id,
    /** Tells what a look has found about the current hold. */
    onLook: (hold: string, isWanted: boolean, startedAt: Instant): void => {
      if (current?.id !== hold) return;
      if (!isWanted) current.confirmedAt = startedAt;
      else {
        closeCurrent();
        void run();
      }
    },
    /** Returns what is not used. */
    close: (): Promise<void> => {
      closeCurrent();
      return run();
    },
  };
}

function openHold(waiting: readonly Waiter[], at: Instant): Hold {
  const times = [at.wallMs, ...waiting.map(({ request }) => request.acceptedAtMs)];
  return {
    id: randomUUID(),
    fromMs: Math.min(...times) - beforeMs,
    toMs: Math.max(...times) + afterMs,
    openedAt: at,
    confirmedAt: at,
    usedAt: at,
    left: 0,
    inFlight: 0,
    accepted: 0,
    unknown: 0,
  };
}

function reservationOf({ id, fromMs, toMs }: Hold, guard: Guard, waiting: readonly Waiter[]) {
  const sizes = waiting.map(({ request }) => request.jobIds.length);
  const need = sizes.reduce((sum, size) => sum + size, 0);
  return { id, guard, need, least: Math.min(...sizes), acceptedFromMs: fromMs, acceptedToMs: toMs };
}

function closingOf({ id, inFlight, accepted, unknown }: Hold): ClosingHold {
  const state = inFlight > 0 ? 'open' : unknown > 0 ? 'lost' : 'ended';
  return { id, state, jobs: inFlight + accepted + unknown };
}
