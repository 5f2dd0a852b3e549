import type { DeletionReceipt, RequestOrigin } from './deletion.ts';
import type { DeletionKey } from './store.ts';

export interface CancellationStore {
  /**
   * Cancels a waiting deletion as a whole: frees its jobs, keeps their ids on record, and makes the deletion due, so that
   * a relay publishes the cancellation. Either this or a lease takes effect, never both. A repeated call gets the answer of
   * the first one.
   */
  cancelDeletion(key: DeletionKey, atMs: number, origin: RequestOrigin): Promise<Cancellation>;
  /** Ends the outbox entries of cancelled deletions, whose events are on the log. They are receipts from then on. */
  endCancelled(deletions: readonly DeletionKey[]): Promise<void>;
}

export type Cancellation =
  | { readonly kind: 'cancelled'; readonly receipt: DeletionReceipt }
  /** Removal has begun, or the deletion never had a delay. */
  | { readonly kind: 'not-cancellable' }
  | { readonly kind: 'not-found' };
