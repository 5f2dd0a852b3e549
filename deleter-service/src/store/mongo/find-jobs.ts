import { groupBy } from '@jobs-delete/runtime/batching/groups';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import type { AcceptRequest } from '../store.ts';
import { anyOf, byJob, type Collections, type TimedCollections } from './collections.ts';

type JobsWanted = Pick<AcceptRequest, 'accountId' | 'jobIds'>;

/** A job that exists. */
export interface FoundJob {
  readonly id: string;
  /** Undefined if the job's `_id` is not an ObjectId: such a job can't be claimed. */
  readonly claim: mongo.ObjectId | undefined;
  /** Undefined if the query names one account only. */
  readonly accountId?: string | undefined;
  /** The version as decoded by the driver; undefined if the job has none, or without a version field. */
  readonly version?: unknown;
}

/** Jobs by account, then by id. Building one key of both would cost as much as the query. */
export type FoundJobs = ReadonlyMap<string, ReadonlyMap<string, FoundJob>>;

/** Finds the jobs of all requests by one query, with one clause for each account (docs/decisions/batches.md). */
export async function findJobs(
  requests: readonly JobsWanted[],
  { jobs, mapping, remainingMs }: TimedCollections,
): Promise<FoundJobs> {
  const { accountField, idField, versionField } = mapping;
  const maxTimeMS = remainingMs();
  const wanted = groupBy(requests, ({ accountId }) => accountId);
  const [onlyAccount] = wanted.size === 1 ? wanted.keys() : [];
  const fields = [idField, onlyAccount === undefined ? accountField : undefined, versionField];
  const projection = Object.fromEntries(fields.flatMap((field) => (field === undefined ? [] : [[field, 1]])));
  const clauses = [...wanted].map(([accountId, ofAccount]) => ({
    [accountField]: accountId,
    [idField]: { $in: ofAccount.flatMap(({ jobIds }) => jobIds) },
  }));
  // One more than can match: the first reply has all jobs and closes the cursor.
  const batchSize = requests.reduce((sum, { jobIds }) => sum + jobIds.length, 1);
  const options = { projection, ...byJob(mapping), maxTimeMS, batchSize, raw: true };
  const read = () => jobs.find<Buffer>(anyOf(clauses), options).toArray();
  const documents = await mongoRead(read, maxTimeMS);
  const found = new Map([...wanted.keys()].map((accountId) => [accountId, new Map<string, FoundJob>()]));
  const readJob = jobReader(mapping);
  for (const document of documents) {
    const job = readJob(document);
    if (job !== undefined) found.get(onlyAccount ?? job.accountId ?? '')?.set(job.id, job);
  }
  return found;
}

/** @returns the jobs of the request that exist, in the order of the request */
export function jobsOf({ accountId, jobIds }: JobsWanted, found: FoundJobs): FoundJob[] {
  const ofAccount = found.get(accountId);
  return jobIds.map((id) => ofAccount?.get(id)).filter((job) => job !== undefined);
}

type JobFields = Pick<Collections['mapping'], 'idField' | 'accountField' | 'versionField'>;

/**
 * Returns a function that reads a job from its BSON (https://bsonspec.org/spec.html). Decoding to objects would take as
 * long as the rest of the query. The function returns undefined for an id that is not a string, such as an array that
 * contains the id.
 */
export function jobReader(fields: JobFields): (document: Buffer) => FoundJob | undefined {
  const { idField, accountField, versionField } = fields;
  return (document) => {
    if (versionField !== undefined) return decodeJob(document, fields);
    let [id, accountId, claim]: [string?, string?, mongo.ObjectId?] = [];
    for (let at = firstElementAt; document[at] !== 0;) {
      const type = document[at];
      const nameEndsAt = document.indexOf(0, at + 1);
      const name = document.toString('utf8', at + 1, nameEndsAt);
      const valueAt = nameEndsAt + 1;
      if (type === objectIdType && name === '_id') {
        at = valueAt + objectIdBytes;
        claim = new mongo.ObjectId(document.subarray(valueAt, at));
      } else if (type === textType && (name === idField || name === accountField)) {
        at = valueAt + 4 + document.readInt32LE(valueAt);
        const text = document.toString('utf8', valueAt + 4, at - 1);
        if (name === idField) id = text;
        else accountId = text;
      } else return decodeJob(document, fields);
    }
    return id === undefined ? undefined : { id, claim, accountId };
  };
}

/** Uses the driver's decoder: for versions, and for values of other types. */
function decodeJob(document: Buffer, { idField, accountField, versionField }: JobFields) {
  const fields = mongo.BSON.deserialize(document);
  const { _id: claim, [idField]: id, [accountField]: accountId } = fields;
  if (typeof id !== 'string') return undefined;
  const version: unknown = versionField === undefined ? undefined : fields[versionField];
  return {
    id,
    // Only an ObjectId is never reused: another type of _id may name another posting later.
    claim: claim instanceof mongo.ObjectId ? claim : undefined,
    accountId: typeof accountId === 'string' ? accountId : undefined,
    version,
  };
}

/** After the length of the document. */
const firstElementAt = 4;
const objectIdType = 0x07;
const objectIdBytes = 12;
const textType = 0x02;
