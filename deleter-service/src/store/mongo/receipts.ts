import { firstByWeight } from '@jobs-delete/runtime/batching/split-by-weight';
import type { Deletion, DeletionReceipt, DeletionState } from '../deletion.ts';
import type { DeletionKey } from '../store.ts';
import { byId, type Collections, type DeletionDocument } from './collections.ts';
import {
  readDeletionDocument,
  readReceiptDocument,
  receiptFields,
  type ReceiptDocument,
} from './read-document.ts';

export async function findDeletion(
  deletionId: string,
  accountId: string | undefined,
  { deletions }: Collections,
): Promise<Deletion | undefined> {
  const document = await deletions.findOne(filterOf(deletionId, accountId));
  return document === null ? undefined : readDeletionDocument(document);
}

export async function findReceipt(
  deletionId: string,
  accountId: string | undefined,
  { deletions }: Collections,
): Promise<DeletionReceipt | undefined> {
  const document = await deletions.findOne<ReceiptDocument>(filterOf(deletionId, accountId), {
    projection: receiptFields,
  });
  return document === null ? undefined : readReceiptDocument(document);
}

function filterOf(deletionId: string, accountId: string | undefined) {
  return { _id: deletionId, ...(accountId !== undefined && { account_id: accountId }) };
}

export async function findStates(
  keys: readonly DeletionKey[],
  { deletions }: Collections,
): Promise<(DeletionState | undefined)[]> {
  const filter = {
    _id: { $in: keys.map(({ deletionId }) => deletionId) },
    account_id: { $in: [...new Set(keys.map(({ accountId }) => accountId))] },
  };
  const projection = { account_id: 1, state: 1 } as const;
  type Found = Pick<DeletionDocument, '_id' | 'account_id' | 'state'>;
  const found = await deletions.find<Found>(filter, { projection, ...byId }).toArray();
  const byDeletionId = new Map(found.map((document) => [document._id, document]));
  return keys.map(({ deletionId, accountId }) => {
    const document = byDeletionId.get(deletionId);
    return document?.account_id === accountId ? document.state : undefined;
  });
}

export async function expireReceipts(
  retentionMs: number,
  maxDeletions: number,
  { deletions }: Collections,
): Promise<number> {
  // The server's clock set the time of completion. Clocks of workers may differ.
  const isExpired = { $lt: ['$completed_at', { $subtract: ['$$NOW', retentionMs] }] };
  const found = await deletions
    .find(
      { completed_at: { $gte: new Date(0) }, $expr: isExpired },
      {
        projection: { account_id: 1, job_count: 1 },
        sort: { completed_at: 1 },
        limit: maxDeletions,
        hint: 'completed',
      },
    )
    .toArray();
  const expired = firstByWeight(found, ({ job_count }) => job_count, maxExpiredJobs);
  if (expired.length === 0) return 0;
  const account_id = { $in: [...new Set(expired.map((deletion) => deletion.account_id))] };
  await deletions.deleteMany({ account_id, _id: { $in: expired.map(({ _id }) => _id) } }, byId);
  return expired.length;
}

/** Each job has an index key to delete: more jobs could exceed the time limit. */
const maxExpiredJobs = 50_000;
