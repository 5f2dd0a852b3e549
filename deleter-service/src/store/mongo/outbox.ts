import { randomUUID } from 'node:crypto';
import { firstByWeight } from '@jobs-delete/runtime/batching/split-by-weight';
import type { mongo } from 'mongoose';
import type { Deletion } from '../deletion.ts';
import type { LeaseQuery, Outbox, OutboxStates } from '../store.ts';
import { byDue, byId, readDeletionDocument, type Collections, type DeletionDocument } from './collections.ts';

/** Deletions of other replicas' concurrent calls are not leased twice: the first update leases them. */
export async function leaseDue(
  { nowMs, fromMs, untilMs, maxDeletions, maxJobs, exceptAccounts }: LeaseQuery,
  { deletions }: Collections,
): Promise<Deletion[]> {
  const due: mongo.Filter<DeletionDocument> = {
    state: { $in: ['accepted', 'published'] },
    due_at: { $gte: new Date(fromMs), $lte: new Date(nowMs) },
    ...(exceptAccounts.length > 0 && { account_id: { $nin: [...exceptAccounts] } }),
  };
  // Reads only index keys.
  const [counted] = await deletions
    .aggregate<{ count: number }>(
      [{ $match: due }, { $limit: maxDeletions * pagesShared }, { $count: 'count' }],
      byDue,
    )
    .toArray();
  if (counted === undefined) return [];
  // After an outage all replicas sweep at once: each takes another part of the first pages.
  const skip = Math.floor(Math.random() * Math.max(0, counted.count - maxDeletions + 1));
  const projection = { job_count: 1 } as const;
  const found = await deletions
    .find(due, { projection, sort: { due_at: 1 }, skip, limit: maxDeletions, ...byDue })
    .toArray();
  if (found.length === 0) return [];
  const ids = firstByWeight(found, ({ job_count }) => job_count, maxJobs).map(({ _id }) => _id);
  const lease = { due_at: new Date(untilMs), leased_by: randomUUID() };
  await deletions.updateMany({ _id: { $in: ids }, ...due }, { $set: lease }, byId);
  const leased = await deletions.find({ _id: { $in: ids }, leased_by: lease.leased_by }, byId).toArray();
  const order = new Map(ids.map((id, index) => [id, index]));
  return leased.map(readDeletionDocument).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

/** Replicas share the first pages of due deletions. */
const pagesShared = 4;

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

const inState = (state: 'accepted' | 'published') => ({ state, due_at: { $gte: new Date(0) } });

export async function releaseLeases({ deletions }: Collections): Promise<void> {
  await deletions.updateMany(inState('accepted'), { $set: { due_at: new Date(0) } }, byDue);
}

/** Shorter than the time limit of the metrics. */
const maxTimeMS = 1_500;

/** Reads only index keys, no documents. */
export async function measureOutbox(maxDeletions: number, { deletions }: Collections): Promise<OutboxStates> {
  const measure = async (state: 'accepted' | 'published'): Promise<Outbox> => {
    const [measured] = await deletions
      .aggregate<{ depth: number; oldest: Date }>(
        [
          { $match: inState(state) },
          { $limit: maxDeletions },
          { $project: { _id: 0, accepted_at: 1 } },
          { $group: { _id: null, depth: { $count: {} }, oldest: { $min: '$accepted_at' } } },
        ],
        { ...byDue, maxTimeMS },
      )
      .toArray();
    return { depth: measured?.depth ?? 0, oldestAtMs: measured?.oldest.getTime() };
  };
  const [accepted, published] = await Promise.all([measure('accepted'), measure('published')]);
  return { accepted, published };
}
