import { mongoRead, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo, type Connection } from 'mongoose';
import type { JobPosting, JobStore } from '../job-store.ts';
import type { Collections, JobDocument } from './collections.ts';
import { listJobs } from './list-jobs.ts';
import { countAccountJobs } from './usage.ts';

export function jobStoreOf(collections: Collections, connection: Connection): JobStore {
  const { jobs, deletions, mapping } = collections;
  const { accountField, idField } = mapping;
  return {
    importJobs: (accountId, postings, atMs) =>
      mongoWrite(async () => {
        const imported = await importAll(accountId, postings, new Date(atMs), collections, connection);
        return { imported, existing: postings.length - imported };
      }),
    findJob: (accountId, jobId) =>
      mongoRead(async () => {
        const job = await jobs.findOne({ [accountField]: accountId, [idField]: jobId });
        if (job === null) return undefined;
        const { _id, imported_at: importedAt, posting, ...fields } = job;
        const filter = { account_id: accountId, claims: _id };
        const holder = await deletions.findOne(filter, { projection: { _id: 1 } });
        return {
          id: jobId,
          accountId,
          posting: isRecord(posting) ? posting : without(fields, [accountField, idField]),
          importedAtMs: (importedAt instanceof Date ? importedAt : _id.getTimestamp()).getTime(),
          deletionId: holder?._id,
        };
      }),
    countJobs: (accountId) =>
      accountId === undefined
        ? mongoRead(() => jobs.countDocuments({}))
        : countAccountJobs(accountId, collections),
    listJobs: (query) => listJobs(query, collections),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns the posting. In an existing collection of a company it is the rest of the document. */
function without(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

type JobFields = Readonly<Record<string, unknown>>;

/**
 * Adds the jobs in one transaction: a failed call adds nothing. A job that a deletion has claimed is replaced by a new
 * document, whose `_id` that deletion does not name.
 */
async function importAll(
  accountId: string,
  postings: readonly JobPosting[],
  imported_at: Date,
  collections: Collections,
  connection: Connection,
): Promise<number> {
  if (postings.length === 0) return 0;
  const { accountField, idField } = collections.mapping;
  const byId = new Map<string, JobFields>();
  for (const { id, posting } of postings) {
    const job = { [accountField]: accountId, [idField]: id, posting, imported_at };
    // The first of those that share an id stays, as if they came one by one.
    if (!byId.has(id)) byId.set(id, job);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await connection
        .getClient()
        .withSession((session) =>
          session.withTransaction(() => importInto(accountId, byId, collections, session)),
        );
    } catch (error) {
      // Another import added one of them after the query.
      if (!(error instanceof mongo.MongoServerError && error.code === 11_000) || attempt === 10) throw error;
    }
  }
}

async function importInto(
  accountId: string,
  byId: ReadonlyMap<string, JobFields>,
  { jobs, deletions, mapping: { accountField, idField } }: Collections,
  session: mongo.ClientSession,
): Promise<number> {
  const present = await jobs
    .find(
      { [accountField]: accountId, [idField]: { $in: [...byId.keys()] } },
      { projection: { [idField]: 1 }, hint: { [accountField]: 1, [idField]: 1 }, session },
    )
    .toArray();
  const claims = present.map(({ _id }) => _id);
  const claimed = new Set<string>();
  if (claims.length > 0) {
    const projection = { claims: { $setIntersection: ['$claims', claims] } };
    const options = { projection, hint: { account_id: 1, claims: 1 }, session };
    for await (const holder of deletions.find({ account_id: accountId, claims: { $in: claims } }, options))
      for (const claim of holder.claims) claimed.add(String(claim));
  }
  const missing = new Map(byId);
  const replaced = present.filter(({ _id }) => claimed.has(String(_id)));
  for (const job of present) if (!claimed.has(String(job._id))) missing.delete(job[idField] as string);
  if (missing.size === 0) return 0;
  if (replaced.length > 0) {
    const _id = { $in: replaced.map((job) => job._id) };
    await jobs.deleteMany({ [accountField]: accountId, _id }, { session, hint: { _id: 1 } });
  }
  // Copies: the driver writes an `_id` into each inserted document, and a retry needs a new one.
  const documents = [...missing.values()].map((job) => ({ ...job })) as mongo.OptionalId<JobDocument>[];
  return (await jobs.insertMany(documents, { session })).insertedCount;
}
