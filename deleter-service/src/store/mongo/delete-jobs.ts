import { Fault } from '@jobs-delete/runtime/fault';
import { mongo } from 'mongoose';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';
import { byId, type Collections, type JobDocument } from './collections.ts';

/** The most jobs in one delete call. Calls run one after the other, so a concurrent accept waits for one at most. */
const jobsPerDelete = 1_000;

/** Jobs of one deletion to delete. */
export interface ClaimedJobs {
  readonly deletionId: string;
  readonly accountId: string;
  readonly claims: readonly string[];
  /** The version of each claim at acceptance, or undefined if versions are not compared. */
  readonly versions: ClaimedVersions | undefined;
}

export interface ClaimedVersions {
  readonly field: string;
  readonly of: ReadonlyMap<string, unknown>;
}

/** A job whose version has changed since it was accepted. */
export interface KeptJob {
  readonly deletionId: string;
  readonly claim: string;
}

export interface Removing extends Collections {
  readonly remainingMs: () => number;
}

/** Deletes the jobs except changed ones. @throws Fault when an unchanged job is still there */
export async function deleteJobs(
  claimed: readonly ClaimedJobs[],
  removing: Removing,
): Promise<{ readonly removed: number; readonly kept: readonly KeptJob[] }> {
  const { jobs, mapping, remainingMs } = removing;
  const kept: KeptJob[] = [];
  let removed = 0;
  for (const some of splitByWeight(claimed, ({ claims }) => claims.length, jobsPerDelete)) {
    const statements = toStatements(some, mapping.accountField);
    if (statements.length === 0) continue;
    const options = { ordered: false, maxTimeMS: remainingMs() };
    const { deletedCount } = await jobs.bulkWrite(statements, options);
    removed += deletedCount;
    const wanted = some.reduce((sum, { claims }) => sum + claims.length, 0);
    if (deletedCount < wanted) kept.push(...(await explainLeft(some, removing)));
  }
  return { removed, kept };
}

/** One statement for all unversioned jobs of an account; one for each versioned job, since each has its own version. */
function toStatements(claimed: readonly ClaimedJobs[], accountField: string) {
  const unversioned = new Map<string, mongo.ObjectId[]>();
  const statements: mongo.AnyBulkWriteOperation<JobDocument>[] = [];
  for (const { accountId, claims, versions } of claimed) {
    if (versions === undefined) {
      const collected = unversioned.get(accountId) ?? [];
      for (const claim of claims) collected.push(mongo.ObjectId.createFromHexString(claim));
      if (collected.length > 0) unversioned.set(accountId, collected);
    } else {
      for (const claim of claims) {
        const _id = mongo.ObjectId.createFromHexString(claim);
        const version = { $eq: versions.of.get(claim) ?? null };
        const filter = { [accountField]: accountId, _id, [versions.field]: version };
        statements.push({ deleteOne: { filter, ...byId } });
      }
    }
  }
  for (const [accountId, claims] of unversioned)
    statements.push({ deleteMany: { filter: { [accountField]: accountId, _id: { $in: claims } }, ...byId } });
  return statements;
}

/**
 * Called when fewer jobs were deleted than claimed. An earlier attempt has deleted them, or their versions have changed,
 * or they move to another shard, which hides them from deleteMany but not from find
 * (https://www.mongodb.com/docs/manual/reference/cluster-parameters/pauseMigrationsDuringMultiUpdates/).
 * @returns the changed jobs
 * @throws Fault when an unchanged job is left, so that the caller retries
 */
async function explainLeft(claimed: readonly ClaimedJobs[], removing: Removing): Promise<KeptJob[]> {
  const { jobs, mapping, remainingMs } = removing;
  const owners = new Map(claimed.flatMap((owner) => owner.claims.map((claim) => [claim, owner])));
  const fields = [mapping.accountField, ...claimed.flatMap(({ versions }) => versions?.field ?? [])];
  const filter = {
    [mapping.accountField]: { $in: [...new Set(claimed.map(({ accountId }) => accountId))] },
    _id: { $in: [...owners.keys()].map((claim) => mongo.ObjectId.createFromHexString(claim)) },
  };
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  const left = await jobs.find(filter, { projection, maxTimeMS: remainingMs(), ...byId }).toArray();
  return left.flatMap((job) => {
    const claim = job._id.toHexString();
    const owner = owners.get(claim);
    if (owner === undefined || job[mapping.accountField] !== owner.accountId) return [];
    const { versions, deletionId } = owner;
    if (versions !== undefined && !isEqual(job[versions.field], versions.of.get(claim)))
      return { deletionId, claim };
    throw new Fault('unavailable', `MongoDB: job ${claim} is still there after its removal`);
  });
}

/** Compares like MongoDB, for values of one type. A missing value is null. */
function isEqual(one: unknown, other: unknown): boolean {
  const bytes = (value: unknown) => mongo.BSON.serialize({ value: value ?? null });
  return Buffer.from(bytes(one)).equals(bytes(other));
}
