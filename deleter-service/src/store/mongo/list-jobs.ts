import { largeRequestJobs } from '@jobs-delete/proto/large-request';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo } from 'mongoose';
import { readJobPage } from '../job-pages.ts';
import type { JobPage, ListJobsQuery } from '../job-store.ts';
import type { Collections } from './collections.ts';

const timeoutMs = 5_000;

export function listJobs(query: ListJobsQuery, collections: Collections): Promise<JobPage> {
  return mongoRead(
    () =>
      readJobPage(query, async (after, size) => {
        const { ids, claims } = await readJobs(query.accountId, after, size, collections);
        const claimed = await findClaimed(query.accountId, claims, collections);
        const unclaimed = ids.filter((_, index) => !claimed.has(String(claims[index])));
        return { unclaimed, jobs: ids.length, last: ids.at(-1) };
      }),
    timeoutMs,
  );
}

interface Jobs {
  readonly ids: readonly string[];
  /** The `_id` of each. */
  readonly claims: readonly mongo.ObjectId[];
}

/** Reads the jobs as two lists in one document, which costs the driver half as much as a document for each job. */
async function readJobs(
  accountId: string,
  after: string,
  size: number,
  { jobs, mapping: { accountField, idField } }: Collections,
): Promise<Jobs> {
  const [read] = await jobs
    .aggregate<Jobs>(
      [
        { $match: { [accountField]: accountId, [idField]: { $gt: after } } },
        { $sort: { [idField]: 1 } },
        { $limit: size },
        { $group: { _id: null, ids: { $push: `$${idField}` }, claims: { $push: '$_id' } } },
      ],
      { hint: { [accountField]: 1, [idField]: 1 }, maxTimeMS: timeoutMs },
    )
    .toArray();
  return read ?? { ids: [], claims: [] };
}

/** Returns the claims that a deletion has, as text. A deletion that is completed meanwhile keeps its claims. */
async function findClaimed(
  accountId: string,
  claims: readonly mongo.ObjectId[],
  { deletions }: Collections,
): Promise<ReadonlySet<string>> {
  // The server builds the set of the page again for each large deletion.
  const isSmall = { $lt: ['$job_count', largeRequestJobs] };
  const projection = { claims: { $cond: [isSmall, '$claims', { $setIntersection: ['$claims', claims] }] } };
  const options = { projection, hint: { account_id: 1, claims: 1 }, maxTimeMS: timeoutMs };
  const holders = await deletions.find({ account_id: accountId, claims: { $in: claims } }, options).toArray();
  return new Set(holders.flatMap((holder) => holder.claims.map(String)));
}
