import { splitByWeight, groupBy } from '@jobs-delete/runtime/batching/groups';
import { Fault } from '@jobs-delete/runtime/fault';
import { mongo } from 'mongoose';
import { byId, type JobDocument, type TimedCollections } from './collections.ts';
import type { KnownPart } from './remove.ts';

/** The most jobs in one call. Calls run one after the other, so a concurrent accept waits for one at most. */
const jobsPerCall = 1_000;

/** A job whose version has changed since it was accepted. */
export interface KeptJob {
  readonly deletionId: string;
  readonly claim: string;
}

/** Removes the jobs except changed ones. @throws Fault when an unchanged job is still there */
export async function removeClaimed(parts: readonly KnownPart[], timed: TimedCollections) {
  const { jobs, mapping, remainingMs } = timed;
  const kept: KeptJob[] = [];
  let removed = 0;
  for (const some of splitByWeight(parts, ({ claims }) => claims.length, jobsPerCall)) {
    const statements = toStatements(some, mapping.accountField);
    if (statements.length === 0) continue;
    const options = { ordered: false, maxTimeMS: remainingMs() };
    const { deletedCount } = await jobs.bulkWrite(statements, options);
    removed += deletedCount;
    const wanted = some.reduce((sum, { claims }) => sum + claims.length, 0);
    if (deletedCount < wanted) kept.push(...(await explainLeft(some, timed)));
  }
  return { removed, kept };
}

/** One statement for all unversioned jobs of an account; one for each versioned job, since each has its own version. */
function toStatements(
  parts: readonly KnownPart[],
  accountField: string,
): mongo.AnyBulkWriteOperation<JobDocument>[] {
  const wanted = parts.filter(({ claims }) => claims.length > 0);
  const versioned = wanted.flatMap(({ accountId, claims, versions }) => {
    if (versions === undefined) return [];
    return claims.map((claim) => {
      const version = { $eq: versions.of.get(claim) ?? null };
      const filter = { [accountField]: accountId, _id: objectId(claim), [versions.field]: version };
      return { deleteOne: { filter, ...byId } };
    });
  });
  const unversioned = wanted.filter(({ versions }) => versions === undefined);
  const byAccount = [...groupBy(unversioned, ({ accountId }) => accountId)];
  return [
    ...versioned,
    ...byAccount.map(([accountId, ofAccount]) => {
      const _id = { $in: ofAccount.flatMap(({ claims }) => claims.map(objectId)) };
      return { deleteMany: { filter: { [accountField]: accountId, _id }, ...byId } };
    }),
  ];
}

/**
 * Called when fewer jobs were deleted than claimed. An earlier attempt has deleted them, or their versions have changed,
 * or they move to another shard, which hides them from deleteMany but not from find
 * (https://www.mongodb.com/docs/manual/reference/cluster-parameters/pauseMigrationsDuringMultiUpdates/).
 * @returns the changed jobs
 * @throws Fault when an unchanged job is left, so that the caller retries
 */
async function explainLeft(
  parts: readonly KnownPart[],
  { jobs, mapping: { accountField }, remainingMs }: TimedCollections,
): Promise<KeptJob[]> {
  const owners = new Map(parts.flatMap((owner) => owner.claims.map((claim) => [claim, owner])));
  const fields = [accountField, ...parts.flatMap(({ versions }) => versions?.field ?? [])];
  const filter = {
    [accountField]: { $in: [...new Set(parts.map(({ accountId }) => accountId))] },
    _id: { $in: [...owners.keys()].map(objectId) },
  };
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  const left = await jobs.find(filter, { projection, maxTimeMS: remainingMs(), ...byId }).toArray();
  return left.flatMap((job) => {
    const claim = job._id.toHexString();
    const owner = owners.get(claim);
    if (owner === undefined || job[accountField] !== owner.accountId) return [];
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

function objectId(claim: string): mongo.ObjectId {
  return mongo.ObjectId.createFromHexString(claim);
}
