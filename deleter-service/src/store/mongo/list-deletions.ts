import type { mongo } from 'mongoose';
import { mostExamined, pageOf } from '../deletion-pages.ts';
import type { ListDeletionsQuery, PagePosition, ReceiptPage } from '../store.ts';
import { byAccepted, type Collections, type DeletionDocument } from './collections.ts';
import { readReceiptDocument, receiptFields, type ReceiptDocument } from './read-document.ts';

type Filter = mongo.Filter<DeletionDocument>;

export async function listDeletions(
  query: ListDeletionsQuery,
  collections: Collections,
): Promise<ReceiptPage> {
  const { state, jobId, tokenId, idempotencyKey, pageSize } = query;
  const lastExamined = await findLastExamined(query, collections);
  const filter: Filter = {
    ...(state !== undefined && { state }),
    ...(jobId !== undefined && { job_ids: jobId }),
    ...(tokenId !== undefined && { 'origin.tokenId': tokenId }),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...rangeOf(query, lastExamined),
  };
  const found = await collections.deletions
    .find<ReceiptDocument>(filter, {
      projection: receiptFields,
      sort: newestFirst,
      limit: pageSize + 1,
      ...(lastExamined !== undefined && byAccepted),
    })
    .toArray();
  return pageOf(found.map(readReceiptDocument), pageSize, lastExamined);
}

const newestFirst = { accepted_at: -1, _id: -1 } as const;

/** Reads only the index for a first page. Resolves to undefined if the page may examine all older deletions. */
async function findLastExamined(
  query: ListDeletionsQuery,
  { deletions }: Collections,
): Promise<PagePosition | undefined> {
  const examined = mostExamined(query);
  if (examined === undefined) return undefined;
  const [last] = await deletions
    .find<Pick<DeletionDocument, '_id' | 'accepted_at'>>(rangeOf(query), {
      projection: { accepted_at: 1 },
      sort: newestFirst,
      skip: examined - 1,
      limit: 1,
      ...byAccepted,
    })
    .toArray();
  return last && { acceptedAtMs: last.accepted_at.getTime(), id: last._id };
}

/** Matches the deletions of the account and time that are older than the previous page. */
function rangeOf(
  { accountId, acceptedFromMs, acceptedToMs, after }: ListDeletionsQuery,
  lastExamined?: PagePosition,
): Filter {
  // The times bound the index scan. The ids decide between deletions of one millisecond.
  const times = [
    ...(acceptedFromMs === undefined ? [] : [{ accepted_at: { $gte: new Date(acceptedFromMs) } }]),
    ...(acceptedToMs === undefined ? [] : [{ accepted_at: { $lt: new Date(acceptedToMs) } }]),
    ...(after === undefined ? [] : olderThan(after)),
    ...(lastExamined === undefined ? [] : notOlderThan(lastExamined)),
  ];
  return {
    ...(accountId !== undefined && { account_id: accountId }),
    ...(times.length > 0 && { $and: times }),
  };
}

function olderThan({ acceptedAtMs, id }: PagePosition): Filter[] {
  const at = new Date(acceptedAtMs);
  return [{ accepted_at: { $lte: at } }, { $or: [{ accepted_at: { $lt: at } }, { _id: { $lt: id } }] }];
}

function notOlderThan({ acceptedAtMs, id }: PagePosition): Filter[] {
  const at = new Date(acceptedAtMs);
  return [{ accepted_at: { $gte: at } }, { $or: [{ accepted_at: { $gt: at } }, { _id: { $gte: id } }] }];
}
