import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import type { Deletion } from '../deletion.ts';
import { firstJobs } from '../first-jobs.ts';
import type { Outbox } from '../store.ts';
import { byDue, byId, type Collections, type DeletionDocument } from './collections.ts';
import { readDeletionDocument } from './read-document.ts';

/** Two callers may find the same deletion. The first update leases it; the second one no longer finds it due. */
export async function leaseDue(
  nowMs: number,
  untilMs: number,
  maxDeletions: number,
  maxJobs: number,
  { deletions }: Collections,
): Promise<Deletion[]> {
  const due: mongo.Filter<DeletionDocument> = {
    state: { $in: ['accepted', 'published'] },
    due_at: { $lte: new Date(nowMs) },
  };
  const found = await deletions
    .find(due, { projection: { job_count: 1 }, sort: { due_at: 1 }, limit: maxDeletions, ...byDue })
    .toArray();
  if (found.length === 0) return [];
  const ids = firstJobs(found, ({ job_count }) => job_count, maxJobs).map(({ _id }) => _id);
  const lease = { due_at: new Date(untilMs), leased_by: randomUUID() };
  await deletions.updateMany({ _id: { $in: ids }, ...due }, { $set: lease }, byId);
  const leased = await deletions.find({ _id: { $in: ids }, leased_by: lease.leased_by }, byId).toArray();
  const order = new Map(ids.map((id, index) => [id, index]));
  return leased.map(readDeletionDocument).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

export async function markPublished(
  deletionIds: readonly string[],
  atMs: number,
  nextDueAtMs: number,
  { deletions }: Collections,
): Promise<void> {
  await deletions.updateMany(
    { _id: { $in: [...deletionIds] }, state: { $ne: 'completed' } },
    {
      $set: { state: 'published', published_at: new Date(atMs), due_at: new Date(nextDueAtMs) },
      $inc: { publications: 1 },
    },
    byId,
  );
}

const unpublished = { state: 'accepted', due_at: { $gte: new Date(0) } } as const;

export async function releaseLeases({ deletions }: Collections): Promise<void> {
  await deletions.updateMany(unpublished, { $set: { due_at: new Date(0) } }, byDue);
}

/** Shorter than the time limit of the metrics. */
const maxTimeMS = 1_500;

/** Reads only index keys, no documents. */
export async function measureOutbox(maxDeletions: number, { deletions }: Collections): Promise<Outbox> {
  const [measured] = await deletions
    .aggregate<{ depth: number; oldest: Date }>(
      [
        { $match: unpublished },
        { $limit: maxDeletions },
        { $project: { _id: 0, accepted_at: 1 } },
        { $group: { _id: null, depth: { $count: {} }, oldest: { $min: '$accepted_at' } } },
      ],
      { ...byDue, maxTimeMS },
    )
    .toArray();
  return { depth: measured?.depth ?? 0, oldestAtMs: measured?.oldest.getTime() };
}
