export interface ConcurrencyLimitOptions {
  readonly minConcurrent: number;
  readonly maxConcurrent: number;
  readonly now: () => number;
}

export interface ConcurrencyLimit {
  current(): number;
  /** @param serving how many there are now, it included */
  onEntered(serving: number): void;
  onServed(bodyBytes: number, enteredAtMs: number): void;
}

/** A judgement takes so long at least, and so many requests, so that one of them alone decides nothing. */
const windowMs = 100;
const windowRequests = 10;
/** How many times as long as usual they may take together. Beyond, there is a queue, wherever that may be. */
const tolerance = 1.5;

/**
 * How many requests may be served at a time, by how long they take (AIMD, as TCP does it): more as long as that many
 * come and they take no longer than usual, fewer when they take longer, for then they queue, whether in the deleter, the
 * database or this event loop.
 *
 * What is usual is learned where there can be no queue of ours, from moments with few requests, and for each size of
 * request by itself: one of 10,000 ids is not slow for taking longer than one of 1. It starts from the least, so that
 * a gateway that starts into a rush doesn't take it for the usual.
 */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { maxConcurrent, now } = options;
  const minConcurrent = Math.min(options.minConcurrent, maxConcurrent);
  /** By size. */
  const usualMs = new Map<number, number>();
  let window = new Map<number, { count: number; ms: number }>();
  let limit = minConcurrent;
  let startedAtMs = now();
  let served = 0;
  let peak = 0;

  /** How many times as long as usual the requests of the window took, taken together; learns on the way. */
  const judge = () => {
    let took = 0;
    let expected = 0;
    for (const [size, { count, ms }] of window) {
      const mean = ms / count;
      const usual = usualMs.get(size) ?? mean;
      took += ms;
      expected += count * usual;
      const isTelling = mean < usual || peak <= minConcurrent / 2;
      usualMs.set(size, isTelling ? usual + (mean - usual) / 8 : usual);
    }
    return took / expected;
  };

  const adapt = () => {
    const slowdown = judge();
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
      // What came before the last judgement tells nothing of its effect.
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

/** Bodies of one size are at most four times as large as one another. */
function sizeOf(bytes: number): number {
  return Math.floor(Math.log2(bytes + 1) / 2);
}
