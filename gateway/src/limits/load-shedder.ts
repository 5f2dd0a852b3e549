import { createFairPermits } from '@jobs-delete/runtime/batching/permits';

export interface LoadShedderOptions {
  /** Maximum of concurrent requests of all accounts; 0 for no limit. */
  readonly maxConcurrent: number;
  /** Maximum memory for the bodies of all requests together. */
  readonly maxBufferedBytes: number;
}

/** The part of one request in its account's share. */
export interface Admission {
  /** Reserves memory for `bytes` more of the body; false beyond the account's share. */
  hold(bytes: number): boolean;
  /** Takes a permit, after the body; false beyond the account's share. */
  enter(): boolean;
  /** Returns the memory and the permit. Further calls do nothing. */
  leave(): void;
}

export interface LoadShedder {
  /** Returns whether a new request would be refused, whoever sends it. */
  isFull(): boolean;
  /** Returns undefined when the account has as many requests in progress as its share permits. */
  admit(accountId: string): Admission | undefined;
  state(): { readonly serving: number; readonly limit: number; readonly bufferedBytes: number };
}

/**
 * Bounds the requests in progress and the memory for bodies. Accounts share both (permits.ts), and an account's live,
 * sandbox and status requests are one share. A request takes its permit once its body is complete, so slow senders only use
 * memory for the bytes they have sent.
 */
export function createLoadShedder({ maxConcurrent, maxBufferedBytes }: LoadShedderOptions): LoadShedder {
  const limit = maxConcurrent === 0 ? Infinity : maxConcurrent;
  const permits = createFairPermits({ total: () => limit });
  const memory = createFairPermits({ total: () => maxBufferedBytes });

  return {
    isFull: () => permits.held() >= limit,
    admit: (accountId) => {
      if (!permits.take(accountId)) return undefined;
      permits.give(accountId);
      let heldBytes = 0;
      let isServing = false;
      return {
        hold: (bytes) => {
          if (!memory.take(accountId, bytes)) return false;
          heldBytes += bytes;
          return true;
        },
        enter: () => (isServing = permits.take(accountId)),
        leave: () => {
          if (heldBytes > 0) memory.give(accountId, heldBytes);
          if (isServing) permits.give(accountId);
          heldBytes = 0;
          isServing = false;
        },
      };
    },
    state: () => ({ serving: permits.held(), limit, bufferedBytes: memory.held() }),
  };
}
