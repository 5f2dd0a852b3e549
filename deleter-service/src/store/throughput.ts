import type { Clock } from '@jobs-delete/runtime/time/clock';

export interface Throughput {
  begin(effort: number): { end(isDone: boolean): void };
  /** How long the effort takes at the present rate; 0 while nothing is in flight, since an old rate may be wrong. */
  msFor(effort: number): number;
}

/** The share of the newest measurement in the mean. */
const weightOfNewest = 0.3;

/** Measures how long one unit of effort takes: from when the work could start to its end. */
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
          // Work that starts beside other work waits for it.
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
