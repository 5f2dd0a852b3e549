import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '@jobs-delete/runtime/time/clock';

/** A clock that stands still until a test moves it. Same work, same times, same order: every run is the same. */
export interface VirtualClock extends Clock {
  /** Lets everything happen that does not wait for time. */
  settle(): Promise<void>;
  /** Moves on by `ms`, stopping at each moment that something sleeps until. */
  advance(ms: number): Promise<void>;
  /** Moves on, from sleeper to sleeper, until the condition holds; fails after a virtual day. */
  runUntil(condition: () => boolean | Promise<boolean>): Promise<void>;
}

const dayMs = 86_400_000;

export function createVirtualClock(startMs = Date.UTC(2026, 0, 1)): VirtualClock {
  let nowMs = startMs;
  const sleepers = new Set<{ atMs: number; wake: () => void }>();
  let deferred = 0;

  const settle = async () => {
    // A turn of the event loop runs every promise that is ready; what it has deferred takes another one.
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
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) {
          resolve();
          return;
        }
        const sleeper = {
          atMs: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
      }),
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
    runUntil: async (condition) => {
      const untilMs = nowMs + dayMs;
      await settle();
      while (!(await condition())) {
        if (!(await wakeNext(untilMs))) throw new Error('the condition does not come to hold');
      }
    },
  };
}
