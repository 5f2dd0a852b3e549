import { groupBy } from '@jobs-delete/runtime/batching/groups';
import { Fault } from '@jobs-delete/runtime/fault';
import { mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import { noSuchDeletion, notBegun, rangeInRecord, type ClaimRange } from '../removed-parts.ts';
import type {
  DeletionKey,
  RefusedPart,
  RemovalAnswer,
  RemovalPart,
  RemovalStore,
  RemovedPart,
} from '../store.ts';
import {
  byId,
  claimsAtAcceptance,
  hasBegun,
  withKeys,
  type Collections,
  type DeletionDocument,
  type TimedCollections,
} from './collections.ts';
import { removeClaimed, type KeptJob } from './remove-claimed.ts';

/**
 * The timeout of one attempt, at the client and at the server: half of the worker's session with Kafka. The next attempt
 * continues after the jobs that this one has deleted.
 */
const timeoutMs = 15_000;

export function removalStoreOf(collections: Collections): RemovalStore {
  return {
    removeJobs: (parts) => mongoWrite(() => removeJobs(parts, collections), timeoutMs),
    recordRemovals: (parts) => mongoWrite(() => recordRemovals(parts, collections), timeoutMs),
  };
}

const recordFields = {
  account_id: 1,
  claims: 1,
  state: 1,
  jobs_collection: 1,
  versions: 1,
  kept: 1,
  kept_count: 1,
} as const satisfies Partial<Record<keyof DeletionDocument, 1>>;

type DeletionRecord = Pick<DeletionDocument, '_id' | keyof typeof recordFields>;

/** A part that fits the record. */
export interface KnownPart extends DeletionKey {
  readonly record: DeletionRecord;
  /** The jobs to delete. */
  readonly claims: readonly string[];
  /** The version of each claim at acceptance, or undefined if versions are not compared. */
  readonly versions: { readonly field: string; readonly of: ReadonlyMap<string, unknown> } | undefined;
  readonly removed: RemovedPart;
}

async function removeJobs(parts: readonly RemovalPart[], collections: Collections): Promise<RemovalAnswer> {
  if (parts.length === 0) return { refused: [], parts: [], removed: 0 };
  const endsAt = performance.now() + timeoutMs;
  const remainingMs = () => Math.max(1, Math.floor(endsAt - performance.now()));
  const timed = { ...collections, remainingMs };
  const records = await findRecords(parts, timed);
  const refused: RefusedPart[] = [];
  const known: KnownPart[] = [];
  for (const [index, part] of parts.entries()) {
    const found = findPart(part, records.get(part.deletionId), collections);
    if (typeof found === 'string') refused.push({ index, reason: found });
    else known.push(found);
  }
  const open = known.filter(({ record }) => record.state !== 'completed');
  const { removed, kept } = await removeClaimed(open, timed);
  await recordKept(kept, records, timed);
  const keptBefore = known.flatMap(({ record }) => record.kept ?? []);
  const claimsKept = new Set([...kept, ...keptBefore].map(({ claim }) => claim.toString()));
  const removedParts = known.map(({ removed }) => removed);
  return { refused, parts: removedParts, removed, ...(claimsKept.size > 0 && { kept: [...claimsKept] }) };
}

/**
 * Finds the deletions of the parts. A deposed primary may lack a deletion or its lease, or have a cancellation that an election has
 * undone. So a linearizable read confirms what would refuse a part.
 */
async function findRecords(
  parts: readonly RemovalPart[],
  { deletions, remainingMs }: TimedCollections,
): Promise<Map<string, DeletionRecord>> {
  const find = (wanted: readonly RemovalPart[], readConcern: 'local' | 'linearizable') => {
    const options = { projection: recordFields, readConcern, maxTimeMS: remainingMs(), ...byId } as const;
    return deletions.find<DeletionRecord>(withKeys(wanted), options).toArray();
  };
  const found = new Map((await find(parts, 'local')).map((record) => [record._id, record]));
  const unsure = parts.filter(({ deletionId }) => (found.get(deletionId)?.state ?? 'waiting') in notBegun);
  if (unsure.length > 0)
    for (const record of await find(unsure, 'linearizable')) found.set(record._id, record);
  return found;
}

/** Returns the reason if the part is refused. */
function findPart(
  part: RemovalPart,
  record: DeletionRecord | undefined,
  { mapping: { collection } }: Collections,
): KnownPart | string {
  const { deletionId, accountId } = part;
  if (record?.account_id !== accountId) return noSuchDeletion;
  if (record.state === 'waiting' || record.state === 'cancelled') return notBegun[record.state];
  const { jobs_collection: claimedIn, versions, kept = [] } = record;
  const accepted = claimsAtAcceptance(record);
  const range = rangeInRecord(accepted, part);
  if (range === undefined) return noSuchDeletion;
  if (claimedIn !== collection)
    return `its jobs are in the collection '${claimedIn}', but JOBS_COLLECTION of this worker is '${collection}'`;
  const keptClaims = new Set(kept.map(({ claim }) => claim.toHexString()));
  const versionOf = (claim: string, index: number): [string, unknown] => [
    claim,
    versions?.values[range.from + index],
  ];
  return {
    deletionId,
    accountId,
    record,
    // Another deletion may have claimed the jobs that an earlier attempt has kept.
    claims: kept.length === 0 ? part.claims : part.claims.filter((claim) => !keptClaims.has(claim)),
    versions: versions && { field: versions.field, of: new Map(part.claims.map(versionOf)) },
    removed: { deletionId, accountId, ...range, claimCount: accepted.length },
  };
}

/**
 * Records the kept jobs and releases their claims: a new, unused claim replaces each in the record, so the job can be
 * deleted again. One update for each deletion; recording a job twice has no effect.
 */
async function recordKept(
  kept: readonly KeptJob[],
  records: ReadonlyMap<string, DeletionRecord>,
  { deletions, remainingMs }: TimedCollections,
): Promise<void> {
  for (const [_id, ofDeletion] of groupBy(kept, ({ deletionId }) => deletionId)) {
    let record = records.get(_id) ?? null;
    for (;;) {
      if (record === null) throw new Fault('internal', `MongoDB: the deletion ${_id} has expired`);
      const { account_id, claims, kept_count } = record;
      const entries = entriesOf(record, ofDeletion);
      if (entries.length === 0) break;
      for (const { position } of entries) claims[position] = new mongo.ObjectId();
      // Each update raises the count, so the record has not changed if the count has not.
      const filter = { _id, account_id, kept_count: kept_count ?? { $exists: false } };
      const update = {
        $set: { claims },
        $push: { kept: { $each: entries } },
        $inc: { kept_count: entries.length },
      };
      const { modifiedCount } = await deletions.updateOne(filter, update, { maxTimeMS: remainingMs() });
      if (modifiedCount === 1) break;
      const options = { projection: recordFields, maxTimeMS: remainingMs() };
      record = await deletions.findOne<DeletionRecord>({ _id, account_id }, options);
    }
  }
}

/** Returns those of the claims that are not recorded as kept, with their positions. */
function entriesOf(record: DeletionRecord, kept: readonly KeptJob[]) {
  const positions = new Map(record.claims.map((claim, position) => [claim.toHexString(), position]));
  const before = new Set(record.kept?.map(({ claim }) => claim.toHexString()));
  const added = kept.filter(({ claim }) => !before.has(claim));
  return added.map(({ claim }) => {
    const position = positions.get(claim);
    if (position === undefined) throw new Fault('internal', `MongoDB: ${claim} is no claim on record`);
    return { position, claim: mongo.ObjectId.createFromHexString(claim) };
  });
}

/** Completes a deletion of one part at once, and a deletion of several parts with the update that covers its last claims. */
async function recordRemovals(parts: readonly RemovedPart[], { deletions }: Collections): Promise<void> {
  const steps: mongo.AnyBulkWriteOperation<DeletionDocument>[] = [];
  const whole = parts.filter(isWhole);
  if (whole.length > 0) {
    const update = [{ $set: completion }, { $unset: 'due_at' }];
    steps.push({ updateMany: { filter: { ...withKeys(whole), ...hasBegun }, update, ...byId } });
  }
  const partial = parts.filter((part) => !isWhole(part));
  for (const [_id, ofDeletion] of groupBy(partial, ({ deletionId }) => deletionId)) {
    const account_id = { $in: ofDeletion.map(({ accountId }) => accountId) };
    const update = coverMore(ofDeletion.map(({ from, to }) => ({ from, to })));
    steps.push({ updateOne: { filter: { account_id, _id, ...hasBegun }, update } });
  }
  if (steps.length > 0) await deletions.bulkWrite(steps, { ordered: false, maxTimeMS: timeoutMs });
}

/** The part covers all claims of its deletion. */
function isWhole({ from, to, claimCount }: RemovedPart): boolean {
  return from === 0 && to === claimCount;
}

/** The time is the server's: receipts expire by the same clock. */
const completion = {
  state: 'completed',
  completed_at: '$$NOW',
  publications: { $max: ['$publications', 1] },
} as const;

/** Adds the parts, and completes the deletion if all claims are covered, in one atomic update. */
function coverMore(ranges: readonly ClaimRange[]) {
  return [
    { $set: { removed_parts: { $setUnion: ['$removed_parts', ranges] } } },
    {
      $set: {
        state: { $cond: [allCovered, completion.state, '$state'] },
        completed_at: { $cond: [allCovered, completion.completed_at, '$$REMOVE'] },
        due_at: { $cond: [allCovered, '$$REMOVE', '$due_at'] },
        publications: completion.publications,
      },
    },
  ];
}

/** The end of the covered claims, from the first claim up to the first gap. */
const reached = {
  $reduce: {
    input: { $sortArray: { input: '$removed_parts', sortBy: { from: 1 } } },
    initialValue: 0,
    in: { $cond: [{ $lte: ['$$this.from', '$$value'] }, { $max: ['$$value', '$$this.to'] }, '$$value'] },
  },
};

const allCovered = { $gte: [reached, '$job_count'] };
