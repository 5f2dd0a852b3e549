import { firstByWeight } from '@jobs-delete/runtime/batching/groups';
import { mongoRead, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo } from 'mongoose';
import { isFinal } from '../deletion.ts';
import {
  endOfExamined,
  mostExamined,
  pageOf,
  type ListDeletionsQuery,
  type PagePosition,
  type ReceiptPage,
  type ReceiptStore,
  type StateCounts,
} from '../receipt-store.ts';
import {
  byAccepted,
  byId,
  readDeletionDocument,
  readReceiptDocument,
  receiptFields,
  withKeys,
  type Collections,
  type DeletionDocument,
  type ReceiptDocument,
} from './collections.ts';

type Filter = mongo.Filter<DeletionDocument>;

export function receiptStoreOf({ deletions }: Collections): ReceiptStore {
  const filterOf = (_id: string, account_id: string | undefined): Filter => ({
    _id,
    ...(account_id !== undefined && { account_id }),
  });
  return {
    findDeletion: async (deletionId, accountId) => {
      const document = await readConfirmed((options) =>
        deletions.findOne(filterOf(deletionId, accountId), options),
      );
      return document && readDeletionDocument(document);
    },
    findReceipt: async (deletionId, accountId) => {
      const document = await readConfirmed((options) =>
        deletions.findOne<ReceiptDocument>(filterOf(deletionId, accountId), {
          projection: receiptFields,
          ...options,
        }),
      );
      return document && readReceiptDocument(document);
    },
    findStates: (keys) =>
      mongoRead(async () => {
        const options = { projection: { account_id: 1, state: 1 }, ...byId, maxTimeMS: maxStatesMs };
        const found = await deletions.find<ReceiptDocument>(withKeys(keys), options).toArray();
        const byDeletionId = new Map(found.map((document) => [document._id, document]));
        return keys.map(({ deletionId, accountId }) => {
          const document = byDeletionId.get(deletionId);
          return document?.account_id === accountId ? document.state : undefined;
        });
      }),
    listDeletions: (query) => mongoRead(() => readPage(query, deletions)),
    countDeletions: ({ accountId, fromMs, toMs, tokenId }) =>
      mongoRead(async () => {
        const accepted_at = { $gte: new Date(fromMs), $lt: new Date(toMs) };
        const sums = {
          deletions: { $sum: 1 },
          jobs: { $sum: '$job_count' },
          keptJobs: { $sum: '$kept_count' },
        };
        // Groups by a plain field: an expression for each deletion would double the time of the server.
        const steps = [
          {
            $match: {
              account_id: accountId,
              accepted_at,
              ...(tokenId !== undefined && { 'origin.tokenId': tokenId }),
            },
          },
          { $group: { _id: '$state', ...sums } },
          { $project: { _id: 0, state: '$_id', deletions: 1, jobs: 1, keptJobs: 1 } },
        ];
        const options = { ...byAccepted, maxTimeMS: maxCountMs };
        return deletions.aggregate<StateCounts>(steps, options).toArray();
      }),
    expireReceipts: (retentionMs, maxDeletions) =>
      mongoWrite(async () => {
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
        const keys = expired.map(({ _id, account_id }) => ({ deletionId: _id, accountId: account_id }));
        await deletions.deleteMany(withKeys(keys), byId);
        return expired.length;
      }),
  };
}

type ReadOptions = Pick<mongo.FindOptions, 'readConcern' | 'maxTimeMS' | 'hint'>;

/** Without a majority, a read must not hold a connection for longer. */
const maxReadMs = 2_000;

/**
 * Reads a state that no failover can undo. A final state that a majority has never changes. A deposed primary may have missed
 * any other change, so a linearizable read confirms the rest: it takes a round of the replica set, some milliseconds.
 */
async function readConfirmed<Document extends Pick<DeletionDocument, 'state'>>(
  read: (options: ReadOptions) => Promise<Document | null>,
): Promise<Document | undefined> {
  const endsAt = performance.now() + maxReadMs;
  const readAt = (readConcern: 'majority' | 'linearizable') => {
    const maxTimeMS = Math.max(1, Math.floor(endsAt - performance.now()));
    return mongoRead(() => read({ readConcern, maxTimeMS, ...byId }), maxTimeMS);
  };
  const found = await readAt('majority');
  return (found !== null && isFinal(found.state) ? found : await readAt('linearizable')) ?? undefined;
}

/** The server stops a count that takes longer. */
const maxCountMs = 5_000;
/** A shard that hangs must not hold many connections. */
const maxStatesMs = 2_000;

/** Each job has an index key to delete: more jobs could exceed the time limit. */
const maxExpiredJobs = 50_000;

async function readPage(
  query: ListDeletionsQuery,
  deletions: Collections['deletions'],
): Promise<ReceiptPage> {
  const { state, jobId, tokenId, idempotencyKey, pageSize } = query;
  const lastExamined = await findLastExamined(query, deletions);
  const filter: Filter = {
    ...(state !== undefined && { state }),
    ...(jobId !== undefined && { job_ids: jobId }),
    ...(tokenId !== undefined && { 'origin.tokenId': tokenId }),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...rangeOf(query, lastExamined),
  };
  const found = await deletions
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

/**
 * Resolves to undefined if the page may examine all older deletions. Reads only the index for a first page, except for a
 * search by job.
 */
async function findLastExamined(
  query: ListDeletionsQuery,
  deletions: Collections['deletions'],
): Promise<PagePosition | undefined> {
  const most = mostExamined(query);
  if (most === undefined) return undefined;
  const { deletions: count, jobs } = most;
  const read = (options: mongo.FindOptions) =>
    deletions.find<Pick<DeletionDocument, '_id' | 'accepted_at' | 'job_count'>>(rangeOf(query), {
      sort: newestFirst,
      ...byAccepted,
      ...options,
    });
  const positionOf = ({ _id, accepted_at }: Pick<DeletionDocument, '_id' | 'accepted_at'>) => ({
    acceptedAtMs: accepted_at.getTime(),
    id: _id,
  });
  if (jobs === undefined) {
    const [last] = await read({ projection: { accepted_at: 1 }, skip: count - 1, limit: 1 }).toArray();
    return last && positionOf(last);
  }
  const isLast = endOfExamined({ deletions: count, jobs });
  const projection = { accepted_at: 1, job_count: 1 };
  for await (const deletion of read({ projection, limit: count, batchSize: 100 }))
    if (isLast(deletion.job_count)) return positionOf(deletion);
  return undefined;
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
