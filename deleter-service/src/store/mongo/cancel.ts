import { Fault } from '@jobs-delete/runtime/fault';
import { mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import type { CancellationStore } from '../store.ts';
import {
  byId,
  readReceiptDocument,
  receiptFields,
  withKeys,
  type Collections,
  type ReceiptDocument,
} from './collections.ts';

const timeoutMs = 5_000;

export function cancellationStoreOf({ deletions }: Collections): CancellationStore {
  return {
    /**
     * Cancels by one update, which only a waiting deletion matches. A lease changes that state first, or finds it changed. A
     * relay publishes only what a majority knows as leased, so a failover can't undo the decision.
     */
    cancelDeletion: ({ deletionId: _id, accountId: account_id }, atMs, cancel_origin) =>
      mongoWrite(async () => {
        const options = { projection: receiptFields, maxTimeMS: timeoutMs, ...byId };
        const atTime = { cancelled_at: new Date(atMs), due_at: new Date(atMs), cancel_origin };
        const cancelled = await deletions.findOneAndUpdate(
          { _id, account_id, state: 'waiting' },
          {
            $set: { state: 'cancelled', ...atTime, claims: [new mongo.ObjectId()] },
            $unset: { versions: true },
          },
          { returnDocument: 'after', ...options },
        );
        if (cancelled !== null) return { kind: 'cancelled', receipt: readReceiptDocument(cancelled) };
        // Sees no state that can be rolled back, and not that of a deposed primary.
        const found = await deletions.findOne<ReceiptDocument>(
          { _id, account_id },
          { readConcern: 'linearizable', ...options },
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
      }, timeoutMs),
    // The server's clock sets the time, by which the receipt expires.
    endCancelled: (keys) =>
      mongoWrite(async () => {
        const ended = { completed_at: '$$NOW', publications: { $add: ['$publications', 1] } };
        await deletions.updateMany(
          { ...withKeys(keys), state: 'cancelled', due_at: { $exists: true } },
          [{ $set: ended }, { $unset: 'due_at' }],
          { ...byId, maxTimeMS: timeoutMs },
        );
      }, timeoutMs),
  };
}
