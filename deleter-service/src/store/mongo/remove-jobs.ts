import { Fault } from '@jobs-delete/runtime/fault';
import { mongo } from 'mongoose';
import {
  noSuchDeletion,
  rangeInRecord,
  numberedPartSize,
  toRecordedPart,
  type ClaimRange,
  type RecordedPart,
} from '../removed-parts.ts';
import type { DeletionKey, RefusedPart, RemovalAnswer, RemovalPart } from '../store.ts';
import { byId, type Collections, type DeletionDocument } from './collections.ts';
import { deleteJobs, type ClaimedJobs, type KeptJob, type Removing } from './delete-jobs.ts';
import { claimsAtAcceptance } from './read-document.ts';

/**
 * The timeout of one attempt, at the client and at the server: half of the worker's session with Kafka. The next attempt
 * continues after the jobs that this one has deleted.
 */
export const removalTimeoutMs = 15_000;

type Recorded = Pick<
  DeletionDocument,
  '_id' | 'account_id' | 'claims' | 'state' | 'jobs_collection' | 'versions' | 'kept' | 'kept_count'
>;

/** A part whose jobs are removed. */
interface RemovedPart {
  readonly recorded: RecordedPart;
  /** True if it covers all claims of its deletion. */
  readonly isWhole: boolean;
}

/** A part that fits the record. */
interface KnownPart {
  readonly deletion: Recorded;
  readonly claimed: ClaimedJobs;
  readonly removed: RemovedPart;
}

/** Removes the jobs first, then records the parts. After a crash in between, the redelivered part removes nothing twice. */
export async function removeJobs(
  parts: readonly RemovalPart[],
  collections: Collections,
): Promise<RemovalAnswer> {
  if (parts.length === 0) return { refused: [], removed: 0, completed: [] };
  const removing = { ...collections, remainingMs: remainingTime() };
  const refused: RefusedPart[] = [];
  const known: KnownPart[] = [];
  const recorded = await findDeletions(parts, removing);
  for (const [index, part] of parts.entries()) {
    const found = findPart(part, recorded.get(part.deletionId), collections);
    if (typeof found === 'string') refused.push({ index, reason: found });
    else known.push(found);
  }
  const open = known.filter(({ deletion }) => deletion.state !== 'completed');
  const { removed, kept } = await deleteJobs(
    open.map(({ claimed }) => claimed),
    removing,
  );
  await recordKept(kept, recorded, removing);
  await recordParts(open, removing);
  const keptBefore = known.flatMap(({ deletion }) => deletion.kept ?? []);
  const claimsKept = new Set([...kept, ...keptBefore].map(({ claim }) => claim.toString()));
  const completed = await findCompleted(known, removing);
  return { refused, removed, completed, ...(claimsKept.size > 0 && { kept: [...claimsKept] }) };
}

/** A part that is whole completes its deletion. The state of other deletions is read again. */
async function findCompleted(
  known: readonly KnownPart[],
  { deletions, remainingMs }: Removing,
): Promise<DeletionKey[]> {
  const isCompleted = ({ deletion, removed }: KnownPart) => removed.isWhole || deletion.state === 'completed';
  const completed = new Map<string, string>();
  const open: Recorded[] = [];
  for (const part of known) {
    if (isCompleted(part)) completed.set(part.deletion._id, part.deletion.account_id);
    else open.push(part.deletion);
  }
  if (open.length > 0) {
    const account_id = { $in: [...new Set(open.map((deletion) => deletion.account_id))] };
    const _id = { $in: [...new Set(open.map((deletion) => deletion._id))] };
    const options = { projection: { account_id: 1 }, maxTimeMS: remainingMs(), ...byId };
    const found = deletions.find<Pick<Recorded, '_id' | 'account_id'>>(
      { account_id, _id, state: 'completed' },
      options,
    );
    for await (const deletion of found) completed.set(deletion._id, deletion.account_id);
  }
  return [...completed].map(([deletionId, accountId]) => ({ deletionId, accountId }));
}

function remainingTime(): () => number {
  const endsAt = performance.now() + removalTimeoutMs;
  return () => Math.max(1, Math.floor(endsAt - performance.now()));
}

/** Returns the reason if the part is refused. */
function findPart(
  part: RemovalPart,
  deletion: Recorded | undefined,
  { mapping: { collection } }: Collections,
): KnownPart | string {
  if (deletion?.account_id !== part.accountId) return noSuchDeletion;
  const { jobs_collection: claimedIn = collection } = deletion;
  const claims = claimsAtAcceptance(deletion);
  const range = rangeInRecord(claims, part);
  if (range === undefined) return noSuchDeletion;
  if (claimedIn !== collection)
    return `its jobs are in the collection '${claimedIn}', but JOBS_COLLECTION of this worker is '${collection}'`;
  const isWhole = range.from === 0 && range.to === claims.length;
  const removed = { recorded: toRecordedPart(range, claims.length), isWhole };
  return { deletion, removed, claimed: claimedJobs(part, deletion, range) };
}

/** Leaves out jobs that an earlier attempt has kept, since another deletion may have claimed them. */
function claimedJobs({ deletionId, accountId, claims }: RemovalPart, deletion: Recorded, range: ClaimRange) {
  const { versions, kept = [] } = deletion;
  const keptClaims = new Set(kept.map(({ claim }) => claim.toHexString()));
  return {
    deletionId,
    accountId,
    claims: keptClaims.size === 0 ? claims : claims.filter((claim) => !keptClaims.has(claim)),
    versions: versions && {
      field: versions.field,
      of: new Map(claims.map((claim, index) => [claim, versions.values[range.from + index]])),
    },
  };
}

/** Finds the deletions of the parts. A deposed primary may not have a good one yet, so a majority confirms what is missing. */
async function findDeletions(
  parts: readonly RemovalPart[],
  { deletions, remainingMs }: Removing,
): Promise<Map<string, Recorded>> {
  const find = (wanted: readonly RemovalPart[], readConcern: 'local' | 'linearizable') => {
    const account_id = { $in: [...new Set(wanted.map(({ accountId }) => accountId))] };
    const _id = { $in: [...new Set(wanted.map(({ deletionId }) => deletionId))] };
    const options = { projection, readConcern, maxTimeMS: remainingMs(), ...byId } as const;
    return deletions.find<Recorded>({ account_id, _id }, options).toArray();
  };
  const found = new Map((await find(parts, 'local')).map((deletion) => [deletion._id, deletion]));
  const missing = parts.filter(({ deletionId }) => !found.has(deletionId));
  if (missing.length > 0)
    for (const deletion of await find(missing, 'linearizable')) found.set(deletion._id, deletion);
  return found;
}

const projection = {
  ...{ account_id: 1, claims: 1, state: 1, jobs_collection: 1, versions: 1 },
  ...{ kept: 1, kept_count: 1 },
} as const;

/**
 * Records the kept jobs and releases their claims: a new, unused claim replaces each in the record, so the job can be
 * deleted again. One update for each deletion; recording a job twice has no effect.
 */
async function recordKept(
  kept: readonly KeptJob[],
  recorded: ReadonlyMap<string, Recorded>,
  { deletions, remainingMs }: Removing,
): Promise<void> {
  for (const [deletionId, ofDeletion] of byDeletion(kept)) {
    let record = recorded.get(deletionId) ?? null;
    for (;;) {
      if (record === null) throw new Fault('internal', `MongoDB: the deletion ${deletionId} has expired`);
      const { account_id, claims, kept_count } = record;
      const entries = entriesOf(record, ofDeletion);
      if (entries.length === 0) break;
      for (const { position } of entries) claims[position] = new mongo.ObjectId();
      // Each update raises the count, so the record has not changed if the count has not.
      const filter = { _id: deletionId, account_id, kept_count: kept_count ?? { $exists: false } };
      const update = {
        $set: { claims },
        $push: { kept: { $each: entries } },
        $inc: { kept_count: entries.length },
      };
      const maxTimeMS = remainingMs();
      if ((await deletions.updateOne(filter, update, { maxTimeMS })).modifiedCount === 1) break;
      record = await deletions.findOne<Recorded>(
        { _id: deletionId, account_id },
        { projection, maxTimeMS: remainingMs() },
      );
    }
  }
}

function byDeletion(kept: readonly KeptJob[]): Map<string, string[]> {
  const claims = new Map<string, string[]>();
  for (const { deletionId, claim } of kept) {
    const known = claims.get(deletionId);
    if (known === undefined) claims.set(deletionId, [claim]);
    else known.push(claim);
  }
  return claims;
}

/** Returns those of the claims that are not recorded as kept, with their positions. */
function entriesOf(record: Recorded, kept: readonly string[]) {
  const positions = new Map(record.claims.map((claim, position) => [claim.toHexString(), position]));
  const before = new Set(record.kept?.map(({ claim }) => claim.toHexString()));
  return kept.flatMap((hex) => {
    if (before.has(hex)) return [];
    const position = positions.get(hex);
    if (position === undefined) throw new Fault('internal', `MongoDB: ${hex} is no claim on record`);
    return [{ position, claim: mongo.ObjectId.createFromHexString(hex) }];
  });
}

/** Completes a deletion of one part at once, and a deletion of several parts with the update that covers its last claims. */
async function recordParts(parts: readonly KnownPart[], { deletions, remainingMs }: Removing): Promise<void> {
  const steps: mongo.AnyBulkWriteOperation<DeletionDocument>[] = [];
  const whole = parts.filter(({ removed }) => removed.isWhole).map(({ deletion }) => deletion);
  if (whole.length > 0) {
    const account_id = { $in: [...new Set(whole.map((deletion) => deletion.account_id))] };
    const _id = { $in: whole.map((deletion) => deletion._id) };
    const update = [{ $set: completion }, { $unset: 'due_at' }];
    steps.push({
      updateMany: { filter: { account_id, _id, state: { $ne: 'completed' } }, update, ...byId },
    });
  }
  const partial = new Map<string, KnownPart[]>();
  for (const part of parts.filter(({ removed }) => !removed.isWhole))
    partial.set(part.deletion._id, [...(partial.get(part.deletion._id) ?? []), part]);
  for (const [_id, ofDeletion] of partial) {
    const account_id = { $in: ofDeletion.map(({ deletion }) => deletion.account_id) };
    const recorded = ofDeletion.map(({ removed }) => removed.recorded);
    steps.push({
      updateOne: { filter: { account_id, _id, state: { $ne: 'completed' } }, update: coverMore(recorded) },
    });
  }
  if (steps.length > 0) await deletions.bulkWrite(steps, { ordered: false, maxTimeMS: remainingMs() });
}

/** The time is the server's: receipts expire by the same clock. */
const completion = {
  state: 'completed',
  completed_at: '$$NOW',
  publications: { $max: ['$publications', 1] },
} as const;

/** Adds the parts, and completes the deletion if all claims are covered, in one atomic update. */
function coverMore(recorded: readonly RecordedPart[]) {
  return [
    { $set: { removed_parts: { $setUnion: ['$removed_parts', recorded] } } },
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

const ranges = {
  $map: {
    input: '$removed_parts',
    in: {
      $cond: [
        { $isNumber: '$$this' },
        {
          from: { $multiply: ['$$this', numberedPartSize] },
          to: { $multiply: [{ $add: ['$$this', 1] }, numberedPartSize] },
        },
        '$$this',
      ],
    },
  },
};

/** The end of the covered claims, from the first claim up to the first gap. */
const reached = {
  $reduce: {
    input: { $sortArray: { input: ranges, sortBy: { from: 1 } } },
    initialValue: 0,
    in: { $cond: [{ $lte: ['$$this.from', '$$value'] }, { $max: ['$$value', '$$this.to'] }, '$$value'] },
  },
};

const allCovered = { $gte: [reached, '$job_count'] };
