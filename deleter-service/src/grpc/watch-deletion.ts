import { status } from '@grpc/grpc-js';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import { createPlacesByKey } from '@jobs-delete/runtime/places-by-key';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { ReceiptStore } from '../store/store.ts';
import { encodeDeletion } from './encode-deletion.ts';
import { GrpcError } from './grpc-error.ts';
import { createStatePoll } from './poll-states.ts';
import { findRequested } from './read-deletions.ts';

export interface WatchOptions {
  readonly store: ReceiptStore;
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
 * Yields the deletion now, and after each change of its state until it is completed. All watches share one poll.
 * @throws GrpcError: UNAVAILABLE if the signal ends the watch, RESOURCE_EXHAUSTED if there are too many watches
 */
export function createWatchDeletion(options: WatchOptions): WatchDeletion {
  const { store, clock, maxWatches = 2_000, maxWatchesPerCaller = 1_000 } = options;
  const poll = createStatePoll(store, clock);
  const places = createPlacesByKey(maxWatchesPerCaller);
  let watches = 0;

  return async function* watchDeletion(request, signal, caller = '') {
    if (watches >= maxWatches) throw tooMany('This replica', maxWatches);
    if (!places.enter(caller)) throw tooMany('This caller', maxWatchesPerCaller);
    watches += 1;
    try {
      while (!signal.aborted) {
        const { receipt, jobIds } = await findRequested(request, store);
        yield encodeDeletion(receipt, jobIds);
        if (receipt.state === 'completed') return;
        await poll.untilChanged(request, receipt.state, signal);
      }
    } finally {
      watches -= 1;
      places.leave(caller);
    }
    throw new GrpcError(status.UNAVAILABLE, 'The watch was cut short; watch again.');
  };
}

function tooMany(who: 'This replica' | 'This caller', watches: number): GrpcError {
  const message = `${who} already has ${String(watches)} watches; call GetDeletion, or watch again later.`;
  return new GrpcError(status.RESOURCE_EXHAUSTED, message);
}
