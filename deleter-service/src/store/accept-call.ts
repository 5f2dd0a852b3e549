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

export interface CallEvents {
  /** Called when the call is late, with the requests that have no answer. */
  readonly onLate?: (open: readonly Waiting[]) => void;
  /** Called before a Fault counts. It may add an attempt: then the Fault is not the answer yet. */
  readonly onFault?: (one: Waiting, fault: Fault) => void;
  /** Called when every request is answered before the call is late, and at least one by an outcome. */
  readonly onAnsweredInTime?: () => void;
}

/** One call of the store. Neither promise rejects. */
export interface AcceptCall {
  /** Resolves when the store may be called again. */
  readonly returned: Promise<void>;
  /** Resolves when each request has an answer. */
  readonly answered: Promise<void>;
  readonly onLate: () => void;
}

/** Sends the requests in one call. Refuses those that are too late, and returns undefined if none is left. */
export function callStore(
  taken: readonly Waiting[],
  store: DeletionStore,
  clock: Pick<Clock, 'now'>,
  events: CallEvents,
): AcceptCall | undefined {
  refuseLate(taken, clock.now());
  const group = taken.filter(({ isOpen }) => isOpen);
  if (group.length === 0) return undefined;
  const open = new Set(group);
  let isInTime = true;
  let hasOutcome = false;
  let resolveAnswered = (): void => undefined;
  const answered = new Promise<void>((resolve) => (resolveAnswered = resolve));
  const answer = (one: Waiting | undefined, outcome: AcceptOutcome | Fault) => {
    if (one === undefined || !open.delete(one)) return;
    one.attempts -= 1;
    if (outcome instanceof Fault) {
      events.onFault?.(one, outcome);
      // A write with an unknown outcome stays unknown, whatever a later attempt says.
      if (one.fault?.code !== 'unknown-outcome') one.fault = outcome;
      if (one.attempts === 0) one.settle(one.fault);
    } else {
      hasOutcome = true;
      one.settle(outcome);
    }
    if (open.size > 0) return;
    if (isInTime && hasOutcome) events.onAnsweredInTime?.();
    resolveAnswered();
  };
  for (const one of group) one.isSent = true;
  const requests = group.map(({ request }) => request);
  const returned = store
    .acceptDeletions(requests, (index, outcome) => answer(group[index], outcome))
    .catch((error: unknown) => {
      for (const one of [...open]) answer(one, asFault(error));
    });
  const onLate = () => {
    isInTime = false;
    if (open.size > 0) events.onLate?.([...open]);
  };
  return { returned, answered, onLate };
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
