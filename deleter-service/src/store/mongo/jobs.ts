import type { Connection } from 'mongoose';
import type { Job, JobPosting } from '../store.ts';
import type { Collections } from './collections.ts';

/** One transaction, so that a call that fails half-way has added nothing. */
export async function importJobs(
  accountId: string,
  postings: readonly JobPosting[],
  atMs: number,
  { jobs, mapping: { accountField, idField } }: Collections,
  connection: Connection,
): Promise<{ imported: number; existing: number }> {
  if (postings.length === 0) return { imported: 0, existing: 0 };
  const upserts = postings.map(({ id, posting }) => ({
    updateOne: {
      filter: { [accountField]: accountId, [idField]: id },
      update: { $setOnInsert: { posting, imported_at: new Date(atMs) } },
      upsert: true,
    },
  }));
  const imported = await connection
    .getClient()
    .withSession((session) =>
      session.withTransaction(async () => (await jobs.bulkWrite(upserts, { session })).upsertedCount),
    );
  return { imported, existing: postings.length - imported };
}

export async function findJob(
  accountId: string,
  jobId: string,
  { jobs, deletions, mapping }: Collections,
): Promise<Job | undefined> {
  const { accountField, idField } = mapping;
  const job = await jobs.findOne({ [accountField]: accountId, [idField]: jobId });
  if (job === null) return undefined;
  const { _id, imported_at: importedAt, posting, ...fields } = job;
  const holder = await deletions.findOne({ account_id: accountId, claims: _id }, { projection: { _id: 1 } });
  return {
    id: jobId,
    accountId,
    posting: isRecord(posting) ? posting : without(fields, [accountField, idField]),
    importedAtMs: (importedAt instanceof Date ? importedAt : _id.getTimestamp()).getTime(),
    deletionId: holder?._id,
  };
}

export function countJobs(accountId: string | undefined, { jobs, mapping }: Collections): Promise<number> {
  return jobs.countDocuments(accountId === undefined ? {} : { [mapping.accountField]: accountId });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** In a company's own collection the posting is the rest of the document. */
function without(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
