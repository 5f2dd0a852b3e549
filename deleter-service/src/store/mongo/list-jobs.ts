import { largeRequestJobs } from '@jobs-delete/proto/large-request';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import { readJobPage } from '../job-pages.ts';
import type { JobPage, ListJobsQuery } from '../job-store.ts';
import { byDue, byId, type Collections } from './collections.ts';

const timeoutMs = 5_000;

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
    timeoutMs,
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
      { account_id, state: { $in: ['waiting', 'accepted', 'published'] }, due_at: { $gte: new Date(0) } },
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
  const options = { projection: { job_ids: 1 }, ...byId, maxTimeMS: timeoutMs };
  const named = await deletions.find(filter, options).toArray();
  return new Set(named.flatMap(({ job_ids }) => job_ids));
}

const timeLimitExceeded = 50;

/** Reads the ids as one list in one document, which costs the driver less than a document for each job. */
async function readIds(
  accountId: string,
  after: string,
  size: number,
  { jobs, mapping: { accountField, idField } }: Collections,
): Promise<readonly string[]> {
  const [read] = await jobs
    .aggregate<{ ids: string[] }>(
      [
        { $match: { [accountField]: accountId, [idField]: { $gt: after } } },
        { $sort: { [idField]: 1 } },
        { $limit: size },
        { $project: { _id: 0, [idField]: 1 } },
        { $group: { _id: null, ids: { $push: `$${idField}` } } },
      ],
      { hint: { [accountField]: 1, [idField]: 1 }, maxTimeMS: timeoutMs },
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
  { deletions, jobs, mapping: { accountField, idField } }: Collections,
): Promise<ReadonlySet<string>> {
  const [read = { ids: [], claims: [] }] = await jobs
    .aggregate<{ ids: string[]; claims: mongo.ObjectId[] }>(
      [
        { $match: { [accountField]: accountId, [idField]: range } },
        { $group: { _id: null, ids: { $push: `$${idField}` }, claims: { $push: '$_id' } } },
      ],
      { hint: { [accountField]: 1, [idField]: 1 }, maxTimeMS: timeoutMs },
    )
    .toArray();
  const { claims } = read;
  // Reads only the wanted claims of a large deletion. The server builds their set for each, so small ones are read whole.
  const isSmall = { $lt: ['$job_count', largeRequestJobs] };
  const projection = { claims: { $cond: [isSmall, '$claims', { $setIntersection: ['$claims', claims] }] } };
  const options = { projection, hint: { account_id: 1, claims: 1 }, maxTimeMS: timeoutMs };
  const filter = { account_id: accountId, claims: { $in: claims } };
  const holders = await deletions.find(filter, options).toArray();
  const held = new Set(holders.flatMap((holder) => holder.claims.map(String)));
  const free = new Set(read.ids.filter((_, index) => !held.has(String(claims[index]))));
  return new Set(ids.filter((id) => !free.has(id)));
}
