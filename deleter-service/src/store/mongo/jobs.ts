import { isDuplicateKey, mongoRead, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo, type Connection } from 'mongoose';
import {
  type JobPosting,
  type JobStore,
  type JobPage,
  type ListJobsQuery,
  readJobPage,
  titleOf,
} from '../job-store.ts';
import { byClaims, byDue, byId, byJob, isOpen, type Collections, type JobDocument } from './collections.ts';
import { countAccountJobs } from './usage.ts';

export function jobStoreOf(collections: Collections, connection: Connection): JobStore {
  const { jobs, deletions, mapping } = collections;
  const { accountField, idField, titleField } = mapping;
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
        const { _id, posting, ...fields } = job;
        const filter = { account_id: accountId, claims: _id };
        const holder = await deletions.findOne(filter, { projection: { _id: 1 } });
        return {
          id: jobId,
          accountId,
          posting: isRecord(posting) ? posting : without(fields, [accountField, idField, 'imported_at']),
          importedAtMs: importTimeOf(job),
          deletionId: holder?._id,
        };
      }),
    describeJobs: (accountId, jobIds) =>
      mongoRead(async () => {
        const filter = { [accountField]: accountId, [idField]: { $in: [...jobIds] } };
        const projection = { [idField]: 1, [titleField]: 1, imported_at: 1 };
        const found = await jobs.find(filter, { projection, ...byJob(mapping) }).toArray();
        return new Map(
          found.map((job) => {
            const title = titleOf(valueAt(job, titleField));
            return [String(job[idField]), { title, importedAtMs: importTimeOf(job) }];
          }),
        );
      }),
    countJobs: (accountId) =>
      accountId === undefined
        ? mongoRead(() => jobs.countDocuments({}))
        : countAccountJobs(accountId, collections),
    listJobs: (query) => listJobs(query, collections),
  };
}

/** Another system that writes into the collection may set no time: then that of the document's id counts. */
function importTimeOf({ _id, imported_at: importedAt }: Pick<JobDocument, '_id' | 'imported_at'>): number {
  return (importedAt instanceof Date ? importedAt : _id.getTimestamp()).getTime();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** @param path names of fields, such as `posting.title` */
function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), document);
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
  const wanted = new Map<string, JobFields>();
  for (const { id, posting } of postings) {
    const job = { [accountField]: accountId, [idField]: id, posting, imported_at };
    // The first of those that share an id stays, as if they came one by one.
    if (!wanted.has(id)) wanted.set(id, job);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await connection
        .getClient()
        .withSession((session) =>
          session.withTransaction(() => importInto(accountId, wanted, collections, session)),
        );
    } catch (error) {
      // Another import added one of them after the query.
      if (!isDuplicateKey(error) || attempt === 10) throw error;
    }
  }
}

async function importInto(
  accountId: string,
  wanted: ReadonlyMap<string, JobFields>,
  { jobs, deletions, mapping }: Collections,
  session: mongo.ClientSession,
): Promise<number> {
  const { accountField, idField } = mapping;
  const present = await jobs
    .find(
      { [accountField]: accountId, [idField]: { $in: [...wanted.keys()] } },
      { projection: { [idField]: 1 }, ...byJob(mapping), session },
    )
    .toArray();
  const claims = present.map(({ _id }) => _id);
  const claimed = new Set<string>();
  if (claims.length > 0) {
    const filter = { account_id: accountId, claims: { $in: claims } };
    for await (const holder of deletions.find(filter, { ...byClaims(claims), session }))
      for (const claim of holder.claims) claimed.add(String(claim));
  }
  const missing = new Map(wanted);
  const replaced = present.filter(({ _id }) => claimed.has(String(_id)));
  for (const job of present) if (!claimed.has(String(job._id))) missing.delete(job[idField] as string);
  if (missing.size === 0) return 0;
  if (replaced.length > 0) {
    const _id = { $in: replaced.map((job) => job._id) };
    await jobs.deleteMany({ [accountField]: accountId, _id }, { session, ...byId });
  }
  // Copies: the driver writes an `_id` into each inserted document, and a retry needs a new one.
  const documents = [...missing.values()].map((job) => ({ ...job })) as mongo.OptionalId<JobDocument>[];
  return (await jobs.insertMany(documents, { session })).insertedCount;
}

const listTimeoutMs = 5_000;

/**
 * Reads the ids from the index alone. Only a job that an open deletion names may be claimed, so only such jobs are read
 * themselves: one may be a later posting (docs/decisions/own-jobs.md).
 *
 * The open deletions are read before the ids. So a deletion that is completed meanwhile has removed its jobs before the
 * ids are read, or still names them. A deletion that is accepted meanwhile hides nothing: its jobs were free a moment ago.
 */
export function listJobs(query: ListJobsQuery, collections: Collections): Promise<JobPage> {
  const { accountId } = query;
  return mongoRead(
    () =>
      readJobPage(query, async (after, size) => {
        const named = await findOpenJobs(accountId, collections);
        const ids = await readIds(accountId, after, size, collections);
        const last = ids.at(-1);
        if (last === undefined) return { unclaimed: [], jobs: 0, last };
        const suspects = ids.filter((id) => named?.has(id) ?? true);
        const range = named === undefined ? { $gt: after, $lte: last } : { $in: suspects };
        const claimed =
          suspects.length === 0 ? noIds : await findClaimed(accountId, suspects, range, collections);
        return { unclaimed: ids.filter((id) => !claimed.has(id)), jobs: ids.length, last };
      }),
    listTimeoutMs,
  );
}

const noIds: ReadonlySet<string> = new Set();

/** With more open deletions or jobs of the account, the claims of the whole page are read: this costs less. */
const maxOpenDeletions = 500;
const maxOpenJobs = 20_000;
/** The index has the open deletions of all accounts, so open deletions of other accounts take time too. */
const openTimeoutMs = 100;

/** Returns the ids that open deletions of the account name; undefined if finding them takes long. */
async function findOpenJobs(
  account_id: string,
  { deletions }: Collections,
): Promise<ReadonlySet<string> | undefined> {
  const open = await deletions
    .find(
      { account_id, ...isOpen, due_at: { $gte: new Date(0) } },
      { projection: { job_count: 1 }, ...byDue, limit: maxOpenDeletions + 1, maxTimeMS: openTimeoutMs },
    )
    .toArray()
    .catch((error: unknown) => {
      if (error instanceof mongo.MongoServerError && error.code === timeLimitExceeded) return undefined;
      throw error;
    });
  if (open === undefined || open.length > maxOpenDeletions) return undefined;
  if (open.reduce((sum, { job_count }) => sum + job_count, 0) > maxOpenJobs) return undefined;
  if (open.length === 0) return noIds;
  const filter = { account_id, _id: { $in: open.map(({ _id }) => _id) } };
  const options = { projection: { job_ids: 1 }, ...byId, maxTimeMS: listTimeoutMs };
  const named = await deletions.find(filter, options).toArray();
  return new Set(named.flatMap(({ job_ids }) => job_ids));
}

const timeLimitExceeded = 50;

/** Reads the ids as one list in one document, which costs the driver less than a document for each job. */
async function readIds(
  accountId: string,
  after: string,
  size: number,
  { jobs, mapping }: Collections,
): Promise<readonly string[]> {
  const { accountField, idField } = mapping;
  const [read] = await jobs
    .aggregate<{ ids: string[] }>(
      [
        { $match: { [accountField]: accountId, [idField]: { $gt: after } } },
        { $sort: { [idField]: 1 } },
        { $limit: size },
        { $project: { _id: 0, [idField]: 1 } },
        { $group: { _id: null, ids: { $push: `$${idField}` } } },
      ],
      { ...byJob(mapping), maxTimeMS: listTimeoutMs },
    )
    .toArray();
  return read?.ids ?? [];
}

/**
 * Returns which of the ids have no posting without a claim. A deletion that is completed meanwhile keeps its claims, and
 * an id whose posting is gone counts as claimed.
 * @param range matches the ids, and perhaps others
 */
async function findClaimed(
  accountId: string,
  ids: readonly string[],
  range: object,
  { deletions, jobs, mapping }: Collections,
): Promise<ReadonlySet<string>> {
  const { accountField, idField } = mapping;
  const [read = { ids: [], claims: [] }] = await jobs
    .aggregate<{ ids: string[]; claims: mongo.ObjectId[] }>(
      [
        { $match: { [accountField]: accountId, [idField]: range } },
        { $group: { _id: null, ids: { $push: `$${idField}` }, claims: { $push: '$_id' } } },
      ],
      { ...byJob(mapping), maxTimeMS: listTimeoutMs },
    )
    .toArray();
  const { claims } = read;
  const options = { ...byClaims(claims), maxTimeMS: listTimeoutMs };
  const filter = { account_id: accountId, claims: { $in: claims } };
  const holders = await deletions.find(filter, options).toArray();
  const held = new Set(holders.flatMap((holder) => holder.claims.map(String)));
  const free = new Set(read.ids.filter((_, index) => !held.has(String(claims[index]))));
  return new Set(ids.filter((id) => !free.has(id)));
}
