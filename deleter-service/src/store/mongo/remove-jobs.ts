import { mongo } from 'mongoose';
import { splitByJobs } from '../../deletion/split-by-jobs.ts';
import { fitsRecord } from '../fits-record.ts';
import type { RemovalPart } from '../store.ts';
import { byId, type Collections, type DeletionDocument } from './collections.ts';

/** In one call of the server, one call after the other: whoever accepts meanwhile waits for one at most. */
const jobsPerDelete = 1_000;

/** What is on record of a deletion. */
interface Recorded {
  readonly accountId: string;
  readonly claims: readonly string[];
  readonly isCompleted: boolean;
}

/** The jobs first, then the record: whoever dies between them leaves a part that is done again, to no effect. */
export async function removeJobs(parts: readonly RemovalPart[], atMs: number, collections: Collections) {
  if (parts.length === 0) return { refused: [], removed: 0 };
  const recorded = await findDeletions(parts, collections);
  const fits = (part: RemovalPart) => {
    const deletion = recorded.get(part.deletionId);
    return deletion?.accountId === part.accountId && fitsRecord(deletion.claims, part);
  };
  const known = new Set(parts.filter(fits));
  const open = [...known].filter(({ deletionId }) => recorded.get(deletionId)?.isCompleted === false);
  const removed = await deleteJobs(open, collections);
  await recordParts(open, atMs, collections);
  return { refused: parts.flatMap((part, index) => (known.has(part) ? [] : index)), removed };
}

async function findDeletions(
  parts: readonly RemovalPart[],
  { deletions }: Collections,
): Promise<Map<string, Recorded>> {
  const accounts = [...new Set(parts.map(({ accountId }) => accountId))];
  const ids = [...new Set(parts.map(({ deletionId }) => deletionId))];
  const found = await deletions
    .find(
      { account_id: { $in: accounts }, _id: { $in: ids } },
      { projection: { account_id: 1, claims: 1, state: 1 }, ...byId },
    )
    .toArray();
  return new Map(
    found.map(({ _id, account_id: accountId, claims, state }) => {
      const recorded = { accountId, claims: claims.map((claim) => claim.toHexString()) };
      return [_id, { ...recorded, isCompleted: state === 'completed' }];
    }),
  );
}

/** @returns how many are gone by it */
async function deleteJobs(parts: readonly RemovalPart[], { jobs, mapping }: Collections): Promise<number> {
  let removed = 0;
  for (const some of splitByJobs(parts, ({ claims }) => claims.length, jobsPerDelete)) {
    const claimsOfAccount = new Map<string, mongo.ObjectId[]>();
    for (const { accountId, claims } of some) {
      const collected = claimsOfAccount.get(accountId) ?? [];
      for (const claim of claims) collected.push(mongo.ObjectId.createFromHexString(claim));
      claimsOfAccount.set(accountId, collected);
    }
    const statements = [...claimsOfAccount].map(([accountId, claims]) => ({
      deleteMany: { filter: { [mapping.accountField]: accountId, _id: { $in: claims } }, ...byId },
    }));
    removed += (await jobs.bulkWrite(statements, { ordered: false })).deletedCount;
  }
  return removed;
}

/** A deletion of one part is completed at once; of several, by whoever records the last of them. */
async function recordParts(
  parts: readonly RemovalPart[],
  atMs: number,
  { deletions }: Collections,
): Promise<void> {
  const completed = { state: 'completed' as const, completed_at: new Date(atMs) };
  const single = new Set<string>();
  const several = new Map<string, RemovalPart[]>();
  for (const part of parts) {
    if (part.parts === 1) single.add(part.deletionId);
    else several.set(part.deletionId, [...(several.get(part.deletionId) ?? []), part]);
  }
  const steps: mongo.AnyBulkWriteOperation<DeletionDocument>[] = [];
  if (single.size > 0) {
    const filter = { _id: { $in: [...single] }, state: { $ne: completed.state } };
    const update = { $set: completed, $unset: { due_at: 1 as const }, $max: { publications: 1 } };
    steps.push({ updateMany: { filter, update, ...byId } });
  }
  for (const [deletionId, removed] of several) {
    const partCount = removed[0]?.parts;
    const isLast = { $eq: [{ $size: '$removed_parts' }, partCount] };
    const update = [
      { $set: { removed_parts: { $setUnion: ['$removed_parts', removed.map(({ part }) => part)] } } },
      {
        $set: {
          state: { $cond: [isLast, completed.state, '$state'] },
          completed_at: { $cond: [isLast, completed.completed_at, '$$REMOVE'] },
          due_at: { $cond: [isLast, '$$REMOVE', '$due_at'] },
          publications: { $max: ['$publications', 1] },
        },
      },
    ];
    steps.push({ updateOne: { filter: { _id: deletionId, state: { $ne: completed.state } }, update } });
  }
  if (steps.length > 0) await deletions.bulkWrite(steps, { ordered: false });
}
