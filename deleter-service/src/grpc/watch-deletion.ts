import { status } from '@grpc/grpc-js';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { ReceiptStore } from '../store/store.ts';
import { encodeDeletion } from './encode-deletion.ts';
import { GrpcError } from './grpc-error.ts';
import { createStatePoll } from './poll-states.ts';
import { findRequested } from './read-deletions.ts';

export interface WatchOptions {
  readonly store: ReceiptStore;
  readonly clock: Clock;
  readonly maxWatches?: number | undefined;
}

export type WatchDeletion = (
  request: GetDeletionRequest__Output,
  signal: AbortSignal,
) => AsyncGenerator<DeletionMessage>;

/**
 * Yields the deletion now, and after each change of its state until it is completed. All watches share one poll.
 * @throws GrpcError: UNAVAILABLE if the signal ends the watch, RESOURCE_EXHAUSTED if there are too many watches
 */
export function createWatchDeletion({ store, clock, maxWatches = 1_000 }: WatchOptions): WatchDeletion {
  const poll = createStatePoll(store, clock);
  let watches = 0;

  return async function* watchDeletion(request, signal) {
    if (watches >= maxWatches) throw tooMany(maxWatches);
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
    }
    throw new GrpcError(status.UNAVAILABLE, 'The watch was cut short; watch again.');
  };
}

function tooMany(maxWatches: number): GrpcError {
  const message = `This replica already serves ${String(maxWatches)} watches; ask GetDeletion, or watch again later.`;
  return new GrpcError(status.RESOURCE_EXHAUSTED, message);
}
