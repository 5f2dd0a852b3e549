import { createConcurrencyLimit } from './concurrency-limit.ts';

export interface LoadShedderOptions {
  /** Never fewer than this many are served at a time. */
  readonly minConcurrent: number;
  /** And never more; 0 for any number, and nothing is shed for being one too many. */
  readonly maxConcurrent: number;
  /** What may be held of bodies, of all requests together. */
  readonly maxBufferedBytes: number;
  /** Milliseconds, of a clock that only goes on. */
  readonly now: () => number;
}

/** One request, from before its body is read. */
export interface Admission {
  /** Whether there is room for so much more of its body. */
  hold(bytes: number): boolean;
  /** Its body is here. Whether it is served; otherwise there are as many as can be already. */
  enter(): boolean;
  /** The deleter has answered it: how long that took tells of the load. */
  served(): void;
  /** Once, whatever has become of it. */
  leave(): void;
}

export interface LoadShedder {
  /** Whether a request that came now would be refused. @param bytes as its Content-Length announces, if it does */
  isFull(bytes?: number): boolean;
  startAdmission(): Admission;
  state(): { readonly serving: number; readonly limit: number; readonly bufferedBytes: number };
}

/** A body of more bytes is large: some 1,500 ids. */
const largeBytes = 65_536;
/** Of the places and of the buffer, so that a flood of large requests leaves small ones a quarter. */
const largeShare = 0.75;

/**
 * Keeps what is served fast, whoever comes besides: what is too much is refused at once, and waits nowhere. A request
 * counts from when its body is here: a caller who sends slowly takes up nobody's place, but for the bytes it has sent.
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
