import { status } from '@grpc/grpc-js';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import { createPermits } from '@jobs-delete/runtime/batching/permits';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import { isFinal, type DeletionState } from '../store/deletion.ts';
import type { DeletionKey, Store } from '../store/store.ts';
import { GrpcError } from './grpc-error.ts';
import { encodeDeletion, findRequested } from './read-deletions.ts';

export interface WatchOptions {
  readonly store: Pick<Store, 'findDeletion' | 'findReceipt' | 'findStates'>;
  readonly clock: Clock;
  /** Maximum number of watches of all callers together. Default: 2,000. */
  readonly maxWatches?: number | undefined;
  /** Default: 1,000. */
  readonly maxWatchesPerCaller?: number | undefined;
}

export type WatchDeletion = (
  request: GetDeletionRequest__Output,
  signal: AbortSignal,
  caller?: string,
) => AsyncGenerator<DeletionMessage>;

/**
 * Yields the deletion now, and after each change of its state until it is completed or cancelled. All watches share one poll.
 * @throws GrpcError: UNAVAILABLE if the signal ends the watch, RESOURCE_EXHAUSTED if there are too many watches
 */
export function createWatchDeletion(options: WatchOptions): WatchDeletion {
  const { store, clock, maxWatches = 2_000, maxWatchesPerCaller = 1_000 } = options;
  const poll = createStatePoll(store, clock);
  const permits = createPermits({ perKey: maxWatchesPerCaller });
  let watches = 0;

  return async function* watchDeletion(request, signal, caller = '') {
    if (watches >= maxWatches) throw tooMany('This replica', maxWatches);
    if (!permits.take(caller)) throw tooMany('This caller', maxWatchesPerCaller);
    watches += 1;
    try {
      while (!signal.aborted) {
        const { receipt, jobIds } = await findRequested(request, store);
        yield encodeDeletion(receipt, jobIds);
        if (isFinal(receipt.state)) return;
        await poll.untilChanged(request, receipt.state, signal);
      }
    } finally {
      watches -= 1;
      permits.give(caller);
    }
    throw new GrpcError(status.UNAVAILABLE, 'The watch was cut short; watch again.');
  };
}

function tooMany(who: 'This replica' | 'This caller', watches: number): GrpcError {
  const message = `${who} already has ${String(watches)} watches; call GetDeletion, or watch again later.`;
  return new GrpcError(status.RESOURCE_EXHAUSTED, message);
}

interface Waiting {
  readonly key: DeletionKey;
  readonly state: DeletionState;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads the states of all watched deletions with one query at a time, and only while a caller watches. Watches of one deletion
 * cost as much as those of others: their number is limited.
 */
function createStatePoll(store: Pick<Store, 'findStates'>, clock: Clock, pollMs = 100) {
  const waiting = new Set<Waiting>();
  let polling = false;

  const pollOnce = async () => {
    const asked = [...waiting];
    try {
      const states = await store.findStates(asked.map(({ key }) => key));
      for (const [index, one] of asked.entries()) if (states[index] !== one.state) one.resolve();
    } catch (error) {
      for (const one of asked) one.reject(error as Error);
    }
  };
  const poll = async () => {
    polling = true;
    while (waiting.size > 0) {
      await clock.sleep(pollMs);
      if (waiting.size > 0) await pollOnce();
    }
    polling = false;
  };

  return {
    /**
     * Resolves when the deletion is no longer in the state, or no longer exists, or the signal is aborted.
     * @throws Fault if the store fails
     */
    untilChanged: (key: DeletionKey, state: DeletionState, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.delete(one);
          signal.removeEventListener('abort', one.resolve);
        };
        const one = {
          key,
          state,
          resolve: () => {
            leave();
            resolve();
          },
          reject: (error: Error) => {
            leave();
            reject(error);
          },
        };
        waiting.add(one);
        signal.addEventListener('abort', one.resolve);
        if (signal.aborted) one.resolve();
        else if (!polling) void poll();
      }),
  };
}
