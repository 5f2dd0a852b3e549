export interface ConcurrencyLimitOptions {
  readonly minConcurrent: number;
  readonly maxConcurrent: number;
  readonly now: () => number;
}

export interface ConcurrencyLimit {
  current(): number;
  /** @param serving concurrent requests, including this one */
  onEntered(serving: number): void;
  onServed(bodyBytes: number, enteredAtMs: number): void;
}

/** The limit adapts after at least this time and this many requests. */
const windowMs = 100;
const windowRequests = 10;
/** A window whose requests take longer than usual by this factor means that requests queue somewhere. */
const tolerance = 1.5;

/**
 * Adapts the number of concurrent requests to their latency (AIMD, as in TCP). The limit grows while requests reach it
 * and take no longer than usual. It shrinks when they take longer, because then they queue in the deleter, the database
 * or this event loop.
 *
 * The usual latency is learned for each size of request, from moments with few requests, when nothing can queue. The limit
 * starts at its minimum, so a gateway that starts during a rush does not learn a latency that includes queueing.
 */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { maxConcurrent, now } = options;
  const minConcurrent = Math.min(options.minConcurrent, maxConcurrent);
  /** The usual latency by size class. */
  const usualMs = new Map<number, number>();
  let window = new Map<number, { count: number; ms: number }>();
  let limit = minConcurrent;
  let startedAtMs = now();
  let served = 0;
  let peak = 0;

  /** Returns how much longer than usual the window's requests took, as a factor. Also updates the usual latencies. */
  const measureSlowdown = () => {
    let took = 0;
    let expected = 0;
    for (const [size, { count, ms }] of window) {
      const mean = ms / count;
      const usual = usualMs.get(size) ?? mean;
      took += ms;
      expected += count * usual;
      const hasNoQueue = mean < usual || peak <= minConcurrent / 2;
      usualMs.set(size, hasNoQueue ? usual + (mean - usual) / 8 : usual);
    }
    return took / expected;
  };

  const adapt = () => {
    const slowdown = measureSlowdown();
    if (slowdown > tolerance) limit *= Math.max(0.5, tolerance / slowdown);
    else if (peak >= Math.floor(limit)) limit += Math.max(1, limit / 10);
    limit = Math.min(maxConcurrent, Math.max(minConcurrent, limit));
    window = new Map();
    startedAtMs = now();
    served = 0;
    peak = 0;
  };

  return {
    current: () => Math.floor(limit),
    onEntered: (serving) => {
      peak = Math.max(peak, serving);
    },
    onServed: (bodyBytes, enteredAtMs) => {
      // A request from before the last adaptation says nothing about its effect.
      if (enteredAtMs < startedAtMs) return;
      const size = sizeOf(bodyBytes);
      const sum = window.get(size) ?? { count: 0, ms: 0 };
      sum.count += 1;
      sum.ms += now() - enteredAtMs;
      window.set(size, sum);
      served += 1;
      if (served >= windowRequests && now() - startedAtMs >= windowMs) adapt();
    },
  };
}

/** Returns the size class. Bodies of one class differ by a factor of four at most. */
function sizeOf(bytes: number): number {
  return Math.floor(Math.log2(bytes + 1) / 2);
}
