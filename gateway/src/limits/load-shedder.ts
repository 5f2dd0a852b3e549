import { createConcurrencyLimit } from './concurrency-limit.ts';

export interface LoadShedderOptions {
  /** Requests that are always served concurrently. */
  readonly minConcurrent: number;
  /** Maximum of concurrent requests; 0 for no limit. */
  readonly maxConcurrent: number;
  /** Maximum memory for the bodies of all requests together. */
  readonly maxBufferedBytes: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** The share of one request, from before its body is read. */
export interface Admission {
  /** Reserves memory for `bytes` more of the body; false when there is none left. */
  hold(bytes: number): boolean;
  /** Called after the body; false when the request must be refused. */
  enter(): boolean;
  /** Called after the deleter's answer: its latency adapts the limit. */
  served(): void;
  /** Called once at the end, refused or not. */
  leave(): void;
}

export interface LoadShedder {
  /** Returns whether a new request would be refused. @param bytes its Content-Length; 0 when unknown */
  isFull(bytes?: number): boolean;
  startAdmission(): Admission;
  state(): { readonly serving: number; readonly limit: number; readonly bufferedBytes: number };
}

/** A body of more bytes is large. It holds about 1,500 ids. */
const largeBytes = 65_536;
/** The share of large requests in the concurrency limit and in the memory. Small requests keep a quarter. */
const largeShare = 0.75;

/**
 * Refuses requests beyond the load that the service handles without queueing. A request counts towards the concurrency
 * limit once its body is complete, so slow senders only use memory for the bytes they have sent.
 */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { maxConcurrent, maxBufferedBytes, now } = options;
  const limit = maxConcurrent === 0 ? undefined : createConcurrencyLimit(options);
  let serving = 0;
  let servingLarge = 0;
  let bufferedBytes = 0;
  const isFull = (bytes = 0) =>
    limit !== undefined &&
    (serving >= limit.current() ||
      (bytes > largeBytes && servingLarge >= Math.ceil(limit.current() * largeShare)));

  return {
    isFull,
    startAdmission: () => {
      let heldBytes = 0;
      let enteredAtMs: number | undefined;
      const isLarge = () => heldBytes > largeBytes;
      return {
        hold: (bytes) => {
          const isAlone = bufferedBytes === heldBytes;
          const share = heldBytes + bytes > largeBytes && !isAlone ? largeShare : 1;
          if (bufferedBytes + bytes > maxBufferedBytes * share) return false;
          heldBytes += bytes;
          bufferedBytes += bytes;
          return true;
        },
        enter: () => {
          if (isFull(heldBytes)) return false;
          serving += 1;
          if (isLarge()) servingLarge += 1;
          enteredAtMs = now();
          limit?.onEntered(serving);
          return true;
        },
        served: () => {
          if (enteredAtMs !== undefined) limit?.onServed(heldBytes, enteredAtMs);
        },
        leave: () => {
          bufferedBytes -= heldBytes;
          if (enteredAtMs === undefined) return;
          serving -= 1;
          if (isLarge()) servingLarge -= 1;
        },
      };
    },
    state: () => ({ serving, limit: limit?.current() ?? Infinity, bufferedBytes }),
  };
}
