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
export interface Visit {
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
  /** Whether a request that came now would have no chance: it need not be looked at any further. */
  isFull(): boolean;
  visit(): Visit;
  state(): { readonly serving: number; readonly limit: number; readonly bufferedBytes: number };
}

/**
 * Keeps what is served fast, whoever comes besides: what is too much is refused at once, and waits nowhere. A request
 * counts from when its body is here: a caller who sends slowly takes up nobody's place, but for the bytes it has sent.
 */
export function createLoadShedder(options: LoadShedderOptions): LoadShedder {
  const { maxConcurrent, maxBufferedBytes, now } = options;
  const limit = maxConcurrent === 0 ? undefined : createConcurrencyLimit(options);
  let serving = 0;
  let bufferedBytes = 0;
  const isFull = () => limit !== undefined && serving >= limit.current();

  return {
    isFull,
    visit: () => {
      let heldBytes = 0;
      let enteredAtMs: number | undefined;
      return {
        hold: (bytes) => {
          if (bufferedBytes + bytes > maxBufferedBytes) return false;
          heldBytes += bytes;
          bufferedBytes += bytes;
          return true;
        },
        enter: () => {
          if (isFull()) return false;
          serving += 1;
          enteredAtMs = now();
          limit?.onEntered(serving);
          return true;
        },
        served: () => {
          if (enteredAtMs !== undefined) limit?.onServed(heldBytes, enteredAtMs);
        },
        leave: () => {
          if (enteredAtMs !== undefined) serving -= 1;
          bufferedBytes -= heldBytes;
        },
      };
    },
    state: () => ({ serving, limit: limit?.current() ?? Infinity, bufferedBytes }),
  };
}
