import type { Clock } from '@jobs-delete/runtime/time/clock';

export interface Throughput {
  begin(effort: number): { end(isDone: boolean): void };
  /** Estimates the time for the effort. Returns 0 while nothing is in flight: an old measurement may be wrong. */
  msFor(effort: number): number;
}

/** Weight of the newest measurement in the moving average. */
const weightOfNewest = 0.3;

/** Measures the time for one unit of effort, without the wait for earlier work. */
export function createThroughput(clock: Pick<Clock, 'now'>): Throughput {
  let msPerUnit: number | undefined;
  let inFlight = 0;
  let lastEndMs = -Infinity;

  return {
    begin: (effort) => {
      const startMs = clock.now();
      inFlight += effort;
      return {
        end: (isDone) => {
          inFlight -= effort;
          const endMs = clock.now();
          // Concurrent work runs after the work that started first.
          const tookMs = endMs - Math.max(startMs, lastEndMs);
          lastEndMs = endMs;
          if (!isDone) return;
          const newest = tookMs / effort;
          msPerUnit = msPerUnit === undefined ? newest : msPerUnit + (newest - msPerUnit) * weightOfNewest;
        },
      };
    },
    msFor: (effort) => (inFlight === 0 || msPerUnit === undefined ? 0 : effort * msPerUnit),
  };
}
