import { randomUUID } from 'node:crypto';
import type { Deletion } from '../../deletion/deletion.ts';
import { firstJobs } from '../first-jobs.ts';
import { byId, type Collections } from './collections.ts';
import { readDeletionDocument } from './read-document.ts';

/** Of two that want the same deletion, the one whose update finds it still due gets it. */
export async function leaseDue(
  nowMs: number,
  untilMs: number,
  maxDeletions: number,
  maxJobs: number,
  { deletions }: Collections,
): Promise<Deletion[]> {
  const due = { due_at: { $lte: new Date(nowMs) } };
  const found = await deletions
    .find(due, { projection: { job_count: 1 }, sort: { due_at: 1 }, limit: maxDeletions })
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

const unpublished = { due_at: { $exists: true }, state: 'accepted' } as const;

export async function releaseLeases({ deletions }: Collections): Promise<void> {
  await deletions.updateMany(unpublished, { $set: { due_at: new Date(0) } });
}

export async function measureOutbox({ deletions }: Collections) {
  const [depth, oldest] = await Promise.all([
    deletions.countDocuments(unpublished),
    deletions.findOne(unpublished, { projection: { accepted_at: 1 }, sort: { accepted_at: 1 } }),
  ]);
  return { depth, oldestAtMs: oldest?.accepted_at.getTime() };
}
