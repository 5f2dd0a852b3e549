import { createFairQueue } from '@jobs-delete/runtime/batching/fair-queue';
import { asFault, Fault } from '@jobs-delete/runtime/fault';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { AcceptOutcome, AcceptRequest, DeletionStore } from './store.ts';

/** A request that waits for its answer, in a queue or in calls of the store. */
export interface Waiting {
  readonly request: AcceptRequest;
  /** Only the first answer counts. */
  readonly settle: (outcome: AcceptOutcome | Fault) => void;
  isOpen: boolean;
  isSent: boolean;
  /** True if the request is, or was, queued for a second attempt. */
  isRetried: boolean;
  /** The attempts that are queued or in flight. */
  attempts: number;
  /** The worst Fault of the attempts that have failed. */
  fault: Fault | undefined;
}

type Queue = ReturnType<typeof createFairQueue<Waiting>>;

export interface LaneOptions {
  readonly store: DeletionStore;
  readonly clock: Pick<Clock, 'defer' | 'now' | 'sleep'>;
  /** A call is late if it has not answered all its requests after this time. */
  readonly lateMs: number;
  /** Maximum calls that are not late. */
  readonly maxInFlight: number;
  /** Maximum late calls that have not returned. At this number no call starts. */
  readonly maxHung: number;
  /** Default: true. */
  readonly mayStart?: (inFlight: number, queuedJobs: number) => boolean;
  /** @param isBusy for lanes of one account a call: whether a call of the account has not returned */
  readonly take: (queue: Queue, isBusy: (account: string) => boolean, hung: number) => Waiting[];
  /** Called when a call is late, with the requests that have no answer. */
  readonly onLate?: (open: readonly Waiting[]) => void;
  /** Called before a Fault counts. It may add an attempt: then the Fault is not the answer yet. */
  readonly onFault?: (one: Waiting, fault: Fault, group: readonly Waiting[]) => void;
  /** Called when a call has answered every request before it is late, and at least one by an outcome. */
  readonly onAnsweredInTime?: (group: readonly Waiting[]) => void;
}

export interface Lane {
  push(waiting: Waiting): void;
  /** Removes the queued requests of the account. */
  takeAll(account: string): Waiting[];
  /** Drops the queued requests that are answered already. */
  forgetAnswered(): void;
}

/** Calls the store with queued requests. A late call no longer counts as in flight, so it does not stop the lane. */
export function createLane(options: LaneOptions): Lane {
  const { clock, maxInFlight, maxHung, mayStart = () => true } = options;
  const queue: Queue = createFairQueue(
    ({ request }) => request.accountId,
    ({ request }) => request.jobIds.length,
  );
  const busy = new Set<string>();
  let inFlight = 0;
  let hung = 0;
  let isDeferred = false;

  const run = async (taken: readonly Waiting[]) => {
    refuseLate(taken, clock.now());
    const group = taken.filter(({ isOpen }) => isOpen);
    if (group.length === 0) return;
    const account = accountOf(group);
    busy.add(account);
    inFlight += 1;
    const { returned, returnedOrLate } = callStore(group, options);
    await returnedOrLate;
    inFlight -= 1;
    if (!returned.aborted) {
      hung += 1;
      start();
      // At the last deadline all its requests are answered: a call that never returns does not count longer.
      const deadlineMs = Math.max(...group.map(({ request }) => request.deadlineMs ?? Infinity));
      await clock.sleep(Math.min(maxHungMs, Math.max(0, deadlineMs - clock.now())), returned);
      hung -= 1;
    }
    busy.delete(account);
    start();
  };
  const start = () => {
    const isFree = () => hung < maxHung && inFlight < maxInFlight && mayStart(inFlight, queue.weight());
    while (queue.keys() > 0 && isFree()) {
      const taken = options.take(queue, (account) => busy.has(account), hung);
      if (taken.length === 0) return;
      void run(taken);
    }
  };

  return {
    push: (waiting) => {
      queue.push(waiting);
      // Requests of one turn of the event loop share a call.
      if (isDeferred) return;
      isDeferred = true;
      clock.defer(() => {
        isDeferred = false;
        start();
      });
    },
    takeAll: (account) => queue.takeOf(Infinity, (key) => key === account),
    forgetAnswered: () => queue.remove(({ isOpen }) => !isOpen),
  };
}

/** Returns the account of requests that share one. */
export function accountOf(group: readonly Waiting[]): string {
  return group[0]?.request.accountId ?? '';
}

/** For requests without a deadline. */
const maxHungMs = 30_000;

/** Sends the requests in one call. @returns `returned` is aborted when the store may be called again */
function callStore(group: readonly Waiting[], options: LaneOptions) {
  const { store, clock, lateMs, onLate, onFault, onAnsweredInTime } = options;
  const open = new Set(group);
  const returned = new AbortController();
  const done = new AbortController();
  let isInTime = true;
  let hasOutcome = false;

  const answer = (one: Waiting | undefined, outcome: AcceptOutcome | Fault) => {
    if (one === undefined || !open.delete(one)) return;
    one.attempts -= 1;
    if (outcome instanceof Fault) {
      onFault?.(one, outcome, group);
      // A write with an unknown outcome stays unknown, whatever a later attempt says.
      if (one.fault?.code !== 'unknown-outcome') one.fault = outcome;
      if (one.attempts === 0) one.settle(one.fault);
    } else {
      hasOutcome = true;
      one.settle(outcome);
    }
    if (open.size > 0) return;
    if (isInTime && hasOutcome) onAnsweredInTime?.(group);
    if (returned.signal.aborted) done.abort();
  };
  for (const one of group) one.isSent = true;
  const requests = group.map(({ request }) => request);
  const returning = store
    .acceptDeletions(requests, (index, outcome) => answer(group[index], outcome))
    .catch((error: unknown) => {
      for (const one of [...open]) answer(one, asFault(error));
    })
    .then(() => {
      returned.abort();
      if (open.size === 0) done.abort();
    });
  const late = clock.sleep(lateMs, done.signal).then(() => {
    if (done.signal.aborted) return;
    isInTime = false;
    if (open.size > 0) onLate?.([...open]);
  });
  return { returned: returned.signal, returnedOrLate: Promise.race([returning, late]) };
}

/** Refuses the requests whose deadline is over. */
export function refuseLate(waiting: Iterable<Waiting>, nowMs: number): void {
  for (const one of waiting) {
    const { isOpen, isSent, attempts, fault, request } = one;
    if (!isOpen || (request.deadlineMs ?? Infinity) > nowMs) continue;
    // Another attempt may still write.
    const mayBeWritten = isSent && attempts > 0 && !request.dryRun;
    if (fault !== undefined && !mayBeWritten) one.settle(fault);
    else if (!isSent) one.settle(new Fault('busy', 'the store was not free before the deadline'));
    else {
      // A dry run changes nothing, so its outcome is not unknown.
      const code = request.dryRun ? 'unavailable' : 'unknown-outcome';
      one.settle(new Fault(code, 'the store did not answer before the deadline'));
    }
  }
}
