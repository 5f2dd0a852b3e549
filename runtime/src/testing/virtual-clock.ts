import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';

/** A clock that stands still until a test moves it, so every run has the same times and the same order. */
export interface VirtualClock extends Clock {
  /** Resolves when all work is done that does not wait for time. */
  settle(): Promise<void>;
  /** Advances the time by `ms` and wakes each sleeper at its own time. */
  advance(ms: number): Promise<void>;
  /** Changes the time of day without waking anybody: sleepers wake after the same time as before. */
  step(ms: number): void;
  /** Advances the time from sleeper to sleeper until the condition holds. Throws after a virtual day. */
  runUntil(condition: () => boolean | Promise<boolean>): Promise<void>;
}

const dayMs = 86_400_000;

export function createVirtualClock(startMs = Date.UTC(2026, 0, 1)): VirtualClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();
  let deferred = 0;

  const settle = async () => {
    // A turn of the event loop runs every promise that is ready; deferred work takes one more turn.
    do await turn();
    while (deferred > 0);
  };
  const wakeNext = async (untilMs: number): Promise<boolean> => {
    const nextMs = Math.min(...[...sleepers].map(({ atMs }) => atMs));
    if (nextMs > untilMs) return false;
    nowMs = Math.max(nowMs, nextMs);
    for (const sleeper of [...sleepers]) if (sleeper.atMs <= nowMs) sleeper.wake();
    await settle();
    return true;
  };

  return {
    now: () => nowMs,
    sleep: (ms, signal) => sleepUntil(nowMs + ms, sleepers, signal),
    defer: (callback) => {
      deferred += 1;
      setImmediate(() => {
        deferred -= 1;
        callback();
      });
    },
    settle,
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await settle();
      while (await wakeNext(untilMs));
      nowMs = untilMs;
    },
    step: (ms) => {
      nowMs += ms;
      for (const sleeper of sleepers) sleeper.atMs += ms;
    },
    runUntil: async (condition) => {
      const untilMs = nowMs + dayMs;
      await settle();
      while (!(await condition())) {
        if (!(await wakeNext(untilMs))) throw new Error('the condition does not hold within a virtual day');
      }
    },
  };
}

interface Sleeper {
  atMs: number;
  readonly wake: () => void;
}

function sleepUntil(atMs: number, sleepers: Set<Sleeper>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const wake = () => {
      sleepers.delete(sleeper);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const sleeper = { atMs, wake };
    sleepers.add(sleeper);
    signal?.addEventListener('abort', wake);
  });
}
