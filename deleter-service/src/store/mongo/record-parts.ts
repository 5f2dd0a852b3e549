import { Fault } from '@jobs-delete/runtime/fault';
import { mongo } from 'mongoose';
import { numberedPartSize, type RecordedPart } from '../removed-parts.ts';
import { byId, type Collections, type DeletionDocument } from './collections.ts';
import type { KeptJob } from './delete-jobs.ts';

/** A part whose jobs are removed. */
export interface RemovedPart {
  readonly deletionId: string;
  readonly recorded: RecordedPart;
  /** True if it covers all claims of its deletion. */
  readonly isWhole: boolean;
}

/**
 * Records the kept jobs and releases their claims: a new, unused claim replaces each in the record, so the job can be
 * deleted again. Recording a job twice has no effect.
 */
export async function recordKept(
  kept: readonly KeptJob[],
  recorded: ReadonlyMap<string, Pick<DeletionDocument, 'claims' | 'kept'>>,
  { deletions }: Pick<Collections, 'deletions'>,
  maxTimeMS: number,
): Promise<void> {
  if (kept.length === 0) return;
  const steps = kept.map(({ deletionId, claim: hex }) => {
    const claim = mongo.ObjectId.createFromHexString(hex);
    const position = recorded.get(deletionId)?.claims.findIndex((each) => each.equals(claim));
    if (position === undefined || position < 0)
      throw new Fault('internal', `MongoDB: ${hex} is no claim on record`);
    const filter = { _id: deletionId, 'kept.claim': { $ne: claim } };
    const update = {
      $set: { [`claims.${String(position)}`]: new mongo.ObjectId() },
      $push: { kept: { position, claim } },
      $inc: { kept_count: 1 },
    };
    return { updateOne: { filter, update } };
  });
  await deletions.bulkWrite(steps, { ordered: false, maxTimeMS });
}

/** Completes a deletion of one part at once, and a deletion of several parts with the update that covers its last claims. */
export async function recordParts(
  parts: readonly RemovedPart[],
  atMs: number,
  { deletions }: Pick<Collections, 'deletions'>,
  maxTimeMS: number,
): Promise<void> {
  const whole = new Set<string>();
  const partial = new Map<string, RecordedPart[]>();
  for (const { deletionId, recorded, isWhole } of parts) {
    if (isWhole) whole.add(deletionId);
    else partial.set(deletionId, [...(partial.get(deletionId) ?? []), recorded]);
  }
  const steps: mongo.AnyBulkWriteOperation<DeletionDocument>[] = [];
  if (whole.size > 0) {
    const filter = { _id: { $in: [...whole] }, state: { $ne: 'completed' as const } };
    const completed = { state: 'completed' as const, completed_at: new Date(atMs) };
    const update = { $set: completed, $unset: { due_at: 1 as const }, $max: { publications: 1 } };
    steps.push({ updateMany: { filter, update, ...byId } });
  }
  for (const [deletionId, recorded] of partial) {
    const filter = { _id: deletionId, state: { $ne: 'completed' as const } };
    steps.push({ updateOne: { filter, update: coverMore(recorded, atMs) } });
  }
  if (steps.length > 0) await deletions.bulkWrite(steps, { ordered: false, maxTimeMS });
}

/** Adds the parts, and completes the deletion if all claims are covered, in one atomic update. */
function coverMore(recorded: readonly RecordedPart[], atMs: number) {
  return [
    { $set: { removed_parts: { $setUnion: ['$removed_parts', recorded] } } },
    {
      $set: {
        state: { $cond: [allCovered, 'completed', '$state'] },
        completed_at: { $cond: [allCovered, new Date(atMs), '$$REMOVE'] },
        due_at: { $cond: [allCovered, '$$REMOVE', '$due_at'] },
        publications: { $max: ['$publications', 1] },
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
