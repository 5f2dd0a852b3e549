import { Fault } from '@jobs-delete/runtime/fault';
import { mongo } from 'mongoose';
import type { Cancellation } from '../cancellation.ts';
import type { RequestOrigin } from '../deletion.ts';
import type { DeletionKey } from '../store.ts';
import {
  byId,
  readReceiptDocument,
  receiptFields,
  withKeys,
  type Collections,
  type ReceiptDocument,
} from './collections.ts';

export const cancelTimeoutMs = 5_000;

/**
 * Cancels by one update, which only a waiting deletion matches. A lease changes that state first, or finds it changed. A
 * relay publishes only what a majority knows as leased, so a failover can't undo the decision.
 */
export async function cancelDeletion(
  { deletionId: _id, accountId: account_id }: DeletionKey,
  atMs: number,
  cancel_origin: RequestOrigin,
  { deletions }: Collections,
): Promise<Cancellation> {
  const atTime = { cancelled_at: new Date(atMs), due_at: new Date(atMs), cancel_origin };
  const cancelled = await deletions.findOneAndUpdate(
    { _id, account_id, state: 'waiting' },
    { $set: { state: 'cancelled', ...atTime, claims: [new mongo.ObjectId()] }, $unset: { versions: true } },
    { returnDocument: 'after', projection: receiptFields, maxTimeMS: cancelTimeoutMs, ...byId },
  );
  if (cancelled !== null) return { kind: 'cancelled', receipt: readReceiptDocument(cancelled) };
  // Sees no state that can be rolled back, and not that of a deposed primary.
  const found = await deletions.findOne<ReceiptDocument>(
    { _id, account_id },
    { projection: receiptFields, readConcern: 'linearizable', maxTimeMS: cancelTimeoutMs, ...byId },
  );
  switch (found?.state) {
    case undefined:
      return { kind: 'not-found' };
    case 'cancelled':
      return { kind: 'cancelled', receipt: readReceiptDocument(found) };
    case 'waiting':
      throw new Fault('unavailable', 'MongoDB: the deletion was stored a moment ago; try again');
    case 'accepted':
    case 'published':
    case 'completed':
      return { kind: 'not-cancellable' };
  }
}

/** The server's clock sets the time, by which the receipt expires. */
export async function endCancelled(keys: readonly DeletionKey[], { deletions }: Collections): Promise<void> {
  await deletions.updateMany(
    { ...withKeys(keys), state: 'cancelled', due_at: { $exists: true } },
    [{ $set: { completed_at: '$$NOW', publications: { $add: ['$publications', 1] } } }, { $unset: 'due_at' }],
    { ...byId, maxTimeMS: cancelTimeoutMs },
  );
}
