import { setMaxListeners } from 'node:events';
import { v7 } from 'uuid';

/** The source of time in the domain, which tests replace. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal is or becomes aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after the callbacks that are ready now. */
  defer(callback: () => void): void;
}

/** Yields to the event loop, which a loop over a synchronous store or log would block. */
export function nextTurn(clock: Pick<Clock, 'defer'>): Promise<void> {
  return new Promise((resolve) => {
    clock.defer(resolve);
  });
}

export interface Random {
  /** Returns a UUID version 7 (RFC 9562, 5.7), ascending per process: records written together are neighbours in an index. */
  uuid(): string;
  /** Returns a number from 0 to below 1. */
  fraction(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
    });
  },
  defer: (callback) => void setImmediate(callback),
};

/** A monotonic clock may stand still while a machine sleeps, and the other one may be set: the longer time counts. */
export interface Instant {
  readonly uptime: number;
  readonly wallMs: number;
}

/** Both clocks of a process, and its timers. */
export interface ProcessClock extends Pick<Clock, 'now' | 'sleep'> {
  /** The monotonic clock, in milliseconds. */
  uptime(): number;
  /** Calls back again and again, without keeping the process alive. @returns a function that ends the calls */
  every(ms: number, callback: () => void): () => void;
}

export const processClock: ProcessClock = {
  ...systemClock,
  uptime: () => performance.now(),
  every: (ms, callback) => {
    const timer = setInterval(callback, ms).unref();
    return () => clearInterval(timer);
  },
};

export function instant(clock: ProcessClock): Instant {
  return { uptime: clock.uptime(), wallMs: clock.now() };
}

/** Settles like `promise`, or like `onLate` after `ms`. Then `promise` goes on, and its outcome is ignored. `Infinity`: no limit. */
export async function withTimeLimit<Result, Late>(
  promise: Promise<Result>,
  ms: number,
  onLate: () => Late,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Promise<Result | Late> {
  if (ms === Infinity) return promise;
  let stop = (): void => undefined;
  const late = new Promise<void>((resolve) => (stop = startTimer(ms, resolve, clock)));
  try {
    return await Promise.race([promise, late.then(onLate)]);
  } finally {
    stop();
  }
}

/** @returns a function that stops the timer */
function startTimer(ms: number, callback: () => void, clock: Pick<Clock, 'sleep'>): () => void {
  if (clock.sleep === systemClock.sleep) {
    // The abort signal of a sleep costs 12 µs, which every call of the database would pay.
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
  const stopped = new AbortController();
  void clock.sleep(ms, stopped.signal).then(() => stopped.signal.aborted || callback());
  return () => stopped.abort();
}

/** Returns the UUID version 7 of a time and 16 bytes. */
export function uuidAt(atMs: number, random: Uint8Array): string {
  return v7({ msecs: atMs, random });
}

export const systemRandom: Random = { uuid: () => v7(), fraction: () => Math.random() };

/**
 * Returns a wait with full jitter (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/):
 * random, up to 100 ms doubled at each failure, at most `maxMs`.
 * @param failures the number of failed attempts, at least 1
 */
export function backoffMs(failures: number, random: Random, maxMs = 30_000): number {
  const ceilingMs = Math.min(maxMs, 100 * 2 ** Math.min(failures - 1, 20));
  return Math.ceil(ceilingMs * random.fraction());
}

interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Must be called once the signal is not needed any more. */
  unlink(): void;
}

/**
 * Returns a signal that `abort` or the long-lived parent aborts, or the time after `afterMs`. `AbortSignal.any` would add an entry to
 * the parent on each call, and never remove it (https://github.com/nodejs/node/issues/55351). Before Node 22, it also forgets an
 * `AbortSignal.timeout` when garbage is collected.
 */
export function linkAbort(parent: AbortSignal | undefined, afterMs?: number): LinkedAbort {
  const own = new AbortController();
  const abort = () => own.abort();
  if (parent?.aborted === true) abort();
  // By default, Node warns of a leak at the eleventh listener.
  if (parent) setMaxListeners(0, parent);
  parent?.addEventListener('abort', abort, { once: true });
  const timer = afterMs === undefined ? undefined : setTimeout(abort, afterMs);
  const unlink = () => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', abort);
  };
  return { signal: own.signal, abort, unlink };
}
