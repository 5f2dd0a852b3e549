import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo } from 'mongoose';
import type { AuditStore, CompletedDeletion, OpenDeletion } from '../store.ts';
import { countCovered } from '../removed-parts.ts';
import { byDue, byId, type Collections, type DeletionDocument } from './collections.ts';

type OpenDocument = Pick<DeletionDocument, '_id' | 'account_id' | 'job_count' | 'accepted_at'> &
  Pick<DeletionDocument, 'published_at' | 'removal_at'> & {
    readonly state: OpenDeletion['state'];
    readonly due_at: Date;
  };

type CompletedDocument = Pick<DeletionDocument, '_id' | 'account_id' | 'job_count' | 'claims'> & {
  readonly completed_at: Date;
  readonly named_jobs: number;
  readonly removed_parts: DeletionDocument['removed_parts'];
};

const openFields = {
  account_id: 1,
  state: 1,
  job_count: 1,
  accepted_at: 1,
  removal_at: 1,
  published_at: 1,
  due_at: 1,
} as const;

const openPageSize = 1_000;
/** Small, because the audit reads all jobs of each deletion. */
const completedPageSize = 100;
const jobsPerFind = 1_000;

/** Yields the batches of one server cursor as pages. */
export function auditStoreOf(collections: Collections): AuditStore {
  const { deletions } = collections;
  return {
    openDeletions: (acceptedBeforeMs) =>
      pagesOf(
        deletions.find<OpenDocument>(
          {
            due_at: { $gte: new Date(0) },
            accepted_at: { $lt: new Date(acceptedBeforeMs) },
            state: { $in: ['waiting', 'accepted', 'published', 'cancelled'] },
            $or: [
              { state: { $in: ['accepted', 'published'] } },
              { due_at: { $lt: new Date(acceptedBeforeMs) } },
            ],
          },
          {
            projection: openFields,
            sort: { due_at: 1 },
            ...byDue,
            batchSize: openPageSize,
          },
        ),
        (documents) => Promise.resolve(documents.map(readOpen)),
      ),
    completedDeletions: (fromMs, toMs) =>
      pagesOf(
        deletions.find<CompletedDocument>(
          { completed_at: { $gte: new Date(fromMs), $lte: new Date(toMs) }, state: 'completed' },
          {
            projection: {
              account_id: 1,
              job_count: 1,
              claims: 1,
              completed_at: 1,
              named_jobs: { $size: '$job_ids' },
              removed_parts: 1,
            },
            sort: { completed_at: 1 },
            hint: 'completed',
            batchSize: completedPageSize,
          },
        ),
        (documents) => readCompleted(documents, collections),
      ),
  };
}

async function* pagesOf<Document, Result>(
  cursor: mongo.FindCursor<Document>,
  read: (documents: Document[]) => Promise<Result[]>,
): AsyncGenerator<Result[]> {
  try {
    while (await mongoRead(() => cursor.hasNext())) {
      const documents = cursor.readBufferedDocuments();
      yield await mongoRead(() => read(documents));
    }
  } finally {
    await cursor.close();
  }
}

function readOpen(document: OpenDocument): OpenDeletion {
  return {
    id: document._id,
    accountId: document.account_id,
    state: document.state,
    jobCount: document.job_count,
    acceptedAtMs: document.accepted_at.getTime(),
    removalAtMs: document.removal_at?.getTime(),
    publishedAtMs: document.published_at?.getTime(),
    dueAtMs: document.due_at.getTime(),
  };
}

async function readCompleted(
  documents: readonly CompletedDocument[],
  collections: Collections,
): Promise<CompletedDeletion[]> {
  const accountOfJob = await findJobsLeft(documents, collections);
  return documents.map(({ account_id: accountId, claims, ...document }) => ({
    id: document._id,
    accountId,
    jobCount: document.job_count,
    completedAtMs: document.completed_at.getTime(),
    recordedJobs: Math.min(document.named_jobs, claims.length),
    coveredJobs: countCovered(document.removed_parts, document.job_count),
    jobsLeft: claims.filter((claim) => accountOfJob.get(claim.toHexString()) === accountId).length,
  }));
}

/** Finds the claimed postings that still exist, with their accounts. Usually there are none. */
async function findJobsLeft(
  documents: readonly CompletedDocument[],
  { jobs, mapping: { accountField } }: Collections,
): Promise<Map<string, unknown>> {
  const claims = documents.flatMap((document) => document.claims);
  const accounts = [...new Set(documents.map(({ account_id }) => account_id))];
  const left = new Map<string, unknown>();
  for (let from = 0; from < claims.length; from += jobsPerFind) {
    const found = await jobs
      .find(
        { [accountField]: { $in: accounts }, _id: { $in: claims.slice(from, from + jobsPerFind) } },
        { projection: { [accountField]: 1 }, ...byId },
      )
      .toArray();
    for (const job of found) left.set(job._id.toHexString(), job[accountField]);
  }
  return left;
}
