import { createFairQueue } from '@jobs-delete/runtime/batching/fair-queue';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { AcceptCall, Waiting } from './accept-call.ts';

type Queue = ReturnType<typeof createFairQueue<Waiting>>;

export interface LaneOptions {
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
  readonly call: (taken: readonly Waiting[]) => AcceptCall | undefined;
}

export interface Lane {
  push(waiting: Waiting): void;
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
    const call = options.call(taken);
    if (call === undefined) return;
    const account = taken[0]?.request.accountId ?? '';
    busy.add(account);
    inFlight += 1;
    const isLate = await isLateCall(call, options);
    inFlight -= 1;
    if (isLate) {
      hung += 1;
      start();
      await returnedOrForgotten(call, taken, clock);
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
    forgetAnswered: () => queue.remove(({ isOpen }) => !isOpen),
  };
}

/** Resolves when the call returns, or when it is late. Reports a late answer also after the call has returned. */
async function isLateCall(call: AcceptCall, { clock, lateMs }: LaneOptions): Promise<boolean> {
  const inTime = new AbortController();
  void Promise.all([call.returned, call.answered]).then(() => inTime.abort());
  const late = clock.sleep(lateMs, inTime.signal).then(() => {
    if (!inTime.signal.aborted) call.onLate();
    return true;
  });
  return Promise.race([call.returned.then(() => false), late]);
}

/** At the last deadline all requests of a call are answered: a call that never returns does not count longer. */
async function returnedOrForgotten(
  { returned }: AcceptCall,
  taken: readonly Waiting[],
  clock: Pick<Clock, 'now' | 'sleep'>,
): Promise<void> {
  const hasReturned = new AbortController();
  const leftMs = taken.map(({ request }) => (request.deadlineMs ?? Infinity) - clock.now());
  const forgotten = clock.sleep(Math.min(maxHungMs, Math.max(0, ...leftMs)), hasReturned.signal);
  await Promise.race([returned, forgotten]);
  hasReturned.abort();
}

/** For requests without a deadline. */
const maxHungMs = 30_000;
