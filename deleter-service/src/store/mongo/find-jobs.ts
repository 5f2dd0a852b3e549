import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import type { AcceptRequest } from '../store.ts';
import type { Collections } from './collections.ts';
import { claimReader, versionedClaimReader, type FoundJob } from './read-claim.ts';

/** The collections, and the time left until the caller stops waiting. */
export interface TimedCollections extends Collections {
  readonly remainingMs: () => number;
}

export type JobsWanted = Pick<AcceptRequest, 'accountId' | 'jobIds'>;

/** Jobs by account, then by id. Building one key of both would cost as much as the query. */
export type FoundJobs = ReadonlyMap<string, ReadonlyMap<string, FoundJob>>;

/** Finds the jobs of all requests, by one query per account. */
export async function findJobs(
  requests: readonly JobsWanted[],
  { jobs, mapping: { accountField, idField, versionField }, remainingMs }: TimedCollections,
): Promise<FoundJobs> {
  const maxTimeMS = remainingMs();
  const projection = { [idField]: 1, ...(versionField !== undefined && { [versionField]: 1 }) };
  const hint = { [accountField]: 1, [idField]: 1 };
  const readJob =
    versionField === undefined ? claimReader(idField) : versionedClaimReader(idField, versionField);
  const finds = [...idsByAccount(requests)].map(async ([accountId, ids]) => {
    const found = new Map<string, FoundJob>();
    const filter = { [accountField]: accountId, [idField]: { $in: ids } };
    // One more than can match: the first reply has all jobs and closes the cursor.
    const options = { projection, hint, maxTimeMS, batchSize: ids.length + 1, raw: true };
    for (const document of await jobs.find<Buffer>(filter, options).toArray()) {
      const job = readJob(document);
      if (job !== undefined) found.set(job.id, job);
    }
    return [accountId, found] as const;
  });
  return new Map(await mongoRead(() => Promise.all(finds), maxTimeMS));
}

/** @returns the jobs of the request that exist, in the order of the request */
export function jobsOf({ accountId, jobIds }: JobsWanted, found: FoundJobs): FoundJob[] {
  const ofAccount = found.get(accountId);
  return jobIds.map((id) => ofAccount?.get(id)).filter((job) => job !== undefined);
}

function idsByAccount(requests: readonly JobsWanted[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { accountId, jobIds } of requests) {
    const known = ids.get(accountId);
    if (known === undefined) ids.set(accountId, [...jobIds]);
    else known.push(...jobIds);
  }
  return ids;
}
