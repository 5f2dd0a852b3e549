import type { mongo } from 'mongoose';
import type { Deletion } from '../../deletion/deletion.ts';
import type { ListDeletionsQuery } from '../store.ts';
import type { Collections, DeletionDocument } from './collections.ts';
import { readDeletionDocument } from './read-document.ts';

export async function findDeletion(
  deletionId: string,
  accountId: string | undefined,
  { deletions }: Collections,
): Promise<Deletion | undefined> {
  const filter = { _id: deletionId, ...(accountId !== undefined && { account_id: accountId }) };
  const document = await deletions.findOne(filter);
  return document === null ? undefined : readDeletionDocument(document);
}

export async function listDeletions(query: ListDeletionsQuery, { deletions }: Collections) {
  const { accountId, state, pageSize, after } = query;
  const filter: mongo.Filter<DeletionDocument> = {
    ...(accountId !== undefined && { account_id: accountId }),
    ...(state !== undefined && { state }),
    ...(after !== undefined && {
      // The first condition bounds the index scan, the second one leaves out the page before.
      accepted_at: { $lte: new Date(after.acceptedAtMs) },
      $or: [{ accepted_at: { $lt: new Date(after.acceptedAtMs) } }, { _id: { $lt: after.id } }],
    }),
  };
  const documents = await deletions
    .find(filter, { sort: { accepted_at: -1, _id: -1 }, limit: pageSize + 1 })
    .toArray();
  const page = documents.slice(0, pageSize).map(readDeletionDocument);
  const last = page.at(-1);
  const next =
    documents.length > pageSize && last ? { acceptedAtMs: last.acceptedAtMs, id: last.id } : undefined;
  return { deletions: page, next };
}

export async function expireReceipts(
  completedBeforeMs: number,
  maxDeletions: number,
  { deletions }: Collections,
): Promise<number> {
  const expired = await deletions
    .find(
      { completed_at: { $lt: new Date(completedBeforeMs) } },
      { projection: { _id: 1 }, limit: maxDeletions },
    )
    .toArray();
  if (expired.length === 0) return 0;
  const { deletedCount } = await deletions.deleteMany({ _id: { $in: expired.map(({ _id }) => _id) } });
  return deletedCount;
}
