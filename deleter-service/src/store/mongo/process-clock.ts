import { systemClock, type Clock } from '@jobs-delete/runtime/time/clock';

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
