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
  /** The attempts whose write may be in flight. */
  writes: number;
  /** The worst Fault of the attempts that have failed. */
  fault: Fault | undefined;
  /** A refusal that waits for a write of another attempt, which may still be accepted. */
  refusal: AcceptOutcome | undefined;
}

type Queue = ReturnType<typeof createFairQueue<Waiting>>;

export interface LaneOptions {
  readonly store: DeletionStore;
  readonly clock: Pick<Clock, 'defer' | 'now'>;
  /** A call is late if it has not answered all its requests after this time, measured in ticks. */
  readonly lateMs: number;
  /** Maximum calls that are not late. */
  readonly maxInFlight: number;
  /** Maximum late calls that have not returned. At this number no call starts. */
  readonly maxHung: number;
  /** Default: true. */
  readonly mayStart?: (inFlight: number, queuedJobs: number) => boolean;
  /** @param isBusy returns whether a call of the account has not returned; for lanes of one account a call */
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
  /** Finds late calls, and drops the queued requests that are answered already. Called ten times a second while there are calls. */
  tick(): void;
  hasCalls(): boolean;
}

/** One call of the store. */
interface Call {
  readonly group: readonly Waiting[];
  /** The requests without an answer. */
  readonly open: Set<Waiting>;
  /** The requests that the store has begun to write. */
  readonly writing: Set<Waiting>;
  readonly lateAtMs: number;
  /** All its requests are answered by then: a call that never returns counts no longer. */
  readonly lostAtMs: number;
  isLate: boolean;
  /** True once it has returned or is lost. Some answers may come later. */
  isOver: boolean;
  hasOutcome: boolean;
}

/** Calls the store with queued requests. A late call no longer counts as in flight, so it does not stop the lane. */
export function createLane(options: LaneOptions): Lane {
  const { store, clock, maxInFlight, maxHung, mayStart = () => true, onLate, onFault } = options;
  const queue: Queue = createFairQueue(
    ({ request }) => request.accountId,
    ({ request }) => request.jobIds.length,
  );
  /** The calls that are not over, and those that can still become late. */
  const calls = new Set<Call>();
  const busy = new Set<string>();
  let inFlight = 0;
  let hung = 0;
  let isDeferred = false;

  const answer = (call: Call, one: Waiting | undefined, outcome: AcceptOutcome | Fault) => {
    const { open, group } = call;
    if (one === undefined || !open.delete(one)) return;
    one.attempts -= 1;
    if (call.writing.delete(one)) one.writes -= 1;
    if (outcome instanceof Fault) {
      onFault?.(one, outcome, group);
      // A write with an unknown outcome stays unknown, unless a later attempt is accepted.
      if (one.fault?.code !== 'unknown-outcome') one.fault = outcome;
    } else {
      call.hasOutcome = true;
      if (mayPass(one, outcome)) one.refusal = outcome;
      else one.settle(outcome);
    }
    const { refusal, fault } = one;
    const isUnknown = fault?.code === 'unknown-outcome';
    if (refusal !== undefined && !isUnknown && one.writes === 0) one.settle(refusal);
    else if (fault !== undefined && one.attempts === 0) one.settle(fault);
    if (open.size > 0) return;
    if (!call.isLate && call.hasOutcome) options.onAnsweredInTime?.(group);
    if (call.isOver) calls.delete(call);
  };
  const send = async (call: Call) => {
    const { group, open } = call;
    try {
      const requests = group.map(({ request }) => request);
      await store.acceptDeletions(
        requests,
        (index, outcome) => answer(call, group[index], outcome),
        (index) => beginWrite(call, group[index]),
      );
    } catch (error) {
      for (const one of [...open]) answer(call, one, asFault(error));
    }
    end(call);
    start();
  };
  /** Returns false if the request is answered, so that it is not written any more. */
  const beginWrite = ({ writing }: Call, one: Waiting | undefined): boolean => {
    if (one?.isOpen !== true) return false;
    if (!writing.has(one)) one.writes += 1;
    writing.add(one);
    return true;
  };
  const end = (call: Call) => {
    if (call.isOver) return;
    call.isOver = true;
    if (call.isLate) hung -= 1;
    else inFlight -= 1;
    busy.delete(accountOf(call.group));
    if (call.isLate || call.open.size === 0) calls.delete(call);
  };
  const endInTime = (call: Call, nowMs: number) => {
    if (!call.isLate && call.lateAtMs <= nowMs) {
      call.isLate = true;
      if (call.isOver) calls.delete(call);
      else {
        inFlight -= 1;
        hung += 1;
      }
      if (call.open.size > 0) onLate?.([...call.open]);
      start();
    }
    if (call.isLate && call.lostAtMs <= nowMs) end(call);
  };
  const run = (taken: readonly Waiting[]) => {
    const nowMs = clock.now();
    refuseLate(taken, nowMs);
    const group = taken.filter(({ isOpen }) => isOpen);
    if (group.length === 0) return;
    for (const one of group) one.isSent = true;
    const lostAtMs = Math.max(...group.map(({ request }) => request.deadlineMs ?? nowMs + defaultTimeoutMs));
    const times = { lateAtMs: nowMs + options.lateMs, lostAtMs };
    const [open, writing] = [new Set(group), new Set<Waiting>()];
    const call = { group, open, writing, ...times, isLate: false, isOver: false, hasOutcome: false };
    calls.add(call);
    busy.add(accountOf(group));
    inFlight += 1;
    void send(call);
  };
  const start = () => {
    const isFree = () => hung < maxHung && inFlight < maxInFlight && mayStart(inFlight, queue.weight());
    while (queue.keys() > 0 && isFree()) {
      const taken = options.take(queue, (account) => busy.has(account), hung);
      if (taken.length === 0) return;
      run(taken);
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
    tick: () => {
      const nowMs = clock.now();
      for (const call of [...calls]) endInTime(call, nowMs);
      queue.remove(({ isOpen }) => !isOpen);
      start();
    },
    hasCalls: () => calls.size > 0,
  };
}

/**
 * Returns whether the outcome is a refusal whose reason may pass: a cancellation frees a claimed job, and a limit may rise. Such a
 * refusal is not final while another attempt may be accepted.
 */
function mayPass({ request }: Waiting, { kind }: AcceptOutcome): boolean {
  return !request.dryRun && (kind === 'jobs-not-found' || kind === 'limit-exceeded');
}

/** Returns the account of requests that share one. */
export function accountOf(group: readonly Waiting[]): string {
  return group[0]?.request.accountId ?? '';
}

/** For requests without a deadline. */
const defaultTimeoutMs = 30_000;

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
