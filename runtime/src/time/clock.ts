import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';

/** All the time and chance that the domain knows: passed in, so that a simulation can own them. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal is or becomes aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once the work that is ready now has been taken up. */
  defer(callback: () => void): void;
}

/**
 * Lets everything else that is ready have its turn. A store or log that works synchronously never waits, so that
 * a loop over a long backlog would keep the event loop to itself and the service from answering.
 */
export function nextTurn(clock: Pick<Clock, 'defer'>): Promise<void> {
  return new Promise((resolve) => {
    clock.defer(resolve);
  });
}

export interface Random {
  /**
   * A UUID of version 7 (RFC 9562, 5.7), later ones of one process greater: what is written at the same time lies together
   * in every index on it, however many there are.
   */
  uuid(): string;
  /** At least 0, below 1. */
  fraction(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  defer: (callback) => void setImmediate(callback),
};

export const systemRandom: Random = { uuid: () => v7(), fraction: () => Math.random() };
