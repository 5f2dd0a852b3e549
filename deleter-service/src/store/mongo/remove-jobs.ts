import { Fault } from '@jobs-delete/runtime/fault';
import { mongo } from 'mongoose';
import { splitByJobs } from '../../deletion/split-by-jobs.ts';
import { noSuchDeletion, rangeInRecord } from '../fits-record.ts';
import { toRecordedPart } from '../removed-parts.ts';
import type { RefusedPart, RemovalPart } from '../store.ts';
import { byId, type Collections } from './collections.ts';
import { recordParts, type RemovedPart } from './record-parts.ts';

/** In one call of the server, one call after the other: whoever accepts meanwhile waits for one at most. */
const jobsPerDelete = 1_000;

/**
 * The limit of one attempt, at the client and at the server: half of the worker's session with Kafka. What an attempt
 * has deleted stays deleted, so the next one goes on from there.
 */
export const removalTimeoutMs = 15_000;

/** What is on record of a deletion. */
interface Recorded {
  readonly accountId: string;
  readonly claims: readonly string[];
  readonly isCompleted: boolean;
  /** The collection that its claims are of; undefined in records of earlier releases. */
  readonly collection: string | undefined;
}

interface Removing extends Collections {
  readonly remainingMs: () => number;
}

/** The jobs first, then the record: whoever dies between them leaves a part that is done again, to no effect. */
export async function removeJobs(parts: readonly RemovalPart[], atMs: number, collections: Collections) {
  const removing = { ...collections, remainingMs: remainingTime() };
  const refused: RefusedPart[] = [];
  const open: { part: RemovalPart; removed: RemovedPart }[] = [];
  const recorded = parts.length === 0 ? undefined : await findDeletions(parts, removing);
  for (const [index, part] of parts.entries()) {
    const deletion = recorded?.get(part.deletionId);
    const found = findPart(part, deletion, collections);
    if (typeof found === 'string') refused.push({ index, reason: found });
    else if (deletion?.isCompleted === false) open.push({ part, removed: found });
  }
  const removed = await deleteJobs(
    open.map(({ part }) => part),
    removing,
  );
  const removedParts = open.map((each) => each.removed);
  await recordParts(removedParts, atMs, removing, removing.remainingMs());
  return { refused, removed };
}

function remainingTime(): () => number {
  const endsAt = performance.now() + removalTimeoutMs;
  return () => Math.max(1, Math.floor(endsAt - performance.now()));
}

/** @returns what to record once the part is removed, or why it is refused */
function findPart(
  part: RemovalPart,
  deletion: Recorded | undefined,
  { mapping: { collection } }: Collections,
): RemovedPart | string {
  if (deletion?.accountId !== part.accountId) return noSuchDeletion;
  const { claims, collection: claimed = collection } = deletion;
  const range = rangeInRecord(claims, part);
  if (range === undefined) return noSuchDeletion;
  if (claimed !== collection)
    return `its jobs are in the collection '${claimed}', but JOBS_COLLECTION of this worker is '${collection}'`;
  const isWhole = range.from === 0 && range.to === claims.length;
  return { deletionId: part.deletionId, recorded: toRecordedPart(range, claims.length), isWhole };
}

async function findDeletions(
  parts: readonly RemovalPart[],
  { deletions, remainingMs }: Removing,
): Promise<Map<string, Recorded>> {
  const accounts = [...new Set(parts.map(({ accountId }) => accountId))];
  const ids = [...new Set(parts.map(({ deletionId }) => deletionId))];
  const projection = { account_id: 1, claims: 1, state: 1, jobs_collection: 1 };
  const found = await deletions
    .find(
      { account_id: { $in: accounts }, _id: { $in: ids } },
      { projection, maxTimeMS: remainingMs(), ...byId },
    )
    .toArray();
  return new Map(
    found.map(({ _id, account_id: accountId, claims, state, jobs_collection: collection }) => {
      const recorded = { accountId, claims: claims.map((claim) => claim.toHexString()), collection };
      return [_id, { ...recorded, isCompleted: state === 'completed' }];
    }),
  );
}

/** @returns how many are gone by it */
async function deleteJobs(parts: readonly RemovalPart[], removing: Removing): Promise<number> {
  const { jobs, mapping, remainingMs } = removing;
  let removed = 0;
  for (const some of splitByJobs(parts, ({ claims }) => claims.length, jobsPerDelete)) {
    const claimsOfAccount = new Map<string, mongo.ObjectId[]>();
    for (const { accountId, claims } of some) {
      const collected = claimsOfAccount.get(accountId) ?? [];
      for (const claim of claims) collected.push(mongo.ObjectId.createFromHexString(claim));
      claimsOfAccount.set(accountId, collected);
    }
    const filters = [...claimsOfAccount].map(([accountId, claims]) => ({
      [mapping.accountField]: accountId,
      _id: { $in: claims },
    }));
    const statements = filters.map((filter) => ({ deleteMany: { filter, ...byId } }));
    const options = { ordered: false, maxTimeMS: remainingMs() };
    const { deletedCount } = await jobs.bulkWrite(statements, options);
    removed += deletedCount;
    const wanted = some.reduce((sum, { claims }) => sum + claims.length, 0);
    if (deletedCount < wanted) await requireGone(filters, removing);
  }
  return removed;
}

/**
 * Fewer jobs were deleted than claimed: an earlier attempt has deleted them, or they move to another shard at this moment,
 * which hides them from deleteMany (https://www.mongodb.com/docs/manual/reference/cluster-parameters/pauseMigrationsDuringMultiUpdates/).
 * A find sees those.
 * @throws Fault when any is left: the attempt is to be made again
 */
async function requireGone(
  filters: readonly mongo.Filter<{ _id: mongo.ObjectId }>[],
  { jobs, remainingMs }: Removing,
): Promise<void> {
  for (const filter of filters) {
    const left = await jobs.findOne(filter, { projection: { _id: 1 }, maxTimeMS: remainingMs(), ...byId });
    if (left === null) continue;
    throw new Fault('unavailable', `MongoDB: job ${left._id.toHexString()} is still there after its removal`);
  }
}
