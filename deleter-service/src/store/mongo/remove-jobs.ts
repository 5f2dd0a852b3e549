import { mongo } from 'mongoose';
import { fitsRecord } from '../fits-record.ts';
import type { RemovalPart } from '../store.ts';
import type { Collections, DeletionDocument } from './collections.ts';

const jobsPerDelete = 1_000;
const deletesInFlight = 4;

type Found = Pick<DeletionDocument, '_id' | 'account_id' | 'claims' | 'state'>;

/** The jobs first, then the record: whoever dies between them leaves a part that is done again, to no effect. */
export async function removeJobs(parts: readonly RemovalPart[], atMs: number, collections: Collections) {
  if (parts.length === 0) return { refused: [] };
  const found = await findDeletions(parts, collections);
  const fits = (part: RemovalPart) => {
    const deletion = found.get(part.deletionId);
    if (deletion?.account_id !== part.accountId) return false;
    return fitsRecord(
      deletion.claims.map((claim) => claim.toHexString()),
      part,
    );
  };
  const known = new Set(parts.filter(fits));
  const open = [...known].filter(({ deletionId }) => found.get(deletionId)?.state !== 'completed');
  await deleteJobs(open, collections);
  await recordParts(open, atMs, collections);
  return { refused: parts.filter((part) => !known.has(part)) };
}

async function findDeletions(
  parts: readonly RemovalPart[],
  { deletions }: Collections,
): Promise<Map<string, Found>> {
  const accounts = [...new Set(parts.map(({ accountId }) => accountId))];
  const ids = [...new Set(parts.map(({ deletionId }) => deletionId))];
  const found = await deletions
    .find(
      { account_id: { $in: accounts }, _id: { $in: ids } },
      { projection: { account_id: 1, claims: 1, state: 1 } },
    )
    .toArray();
  return new Map(found.map((deletion) => [deletion._id, deletion]));
}

async function deleteJobs(parts: readonly RemovalPart[], { jobs, mapping }: Collections): Promise<void> {
  const claimsOfAccount = new Map<string, mongo.ObjectId[]>();
  for (const { accountId, claims } of parts) {
    const collected = claimsOfAccount.get(accountId) ?? [];
    for (const claim of claims) collected.push(mongo.ObjectId.createFromHexString(claim));
    claimsOfAccount.set(accountId, collected);
  }
  const deletes = [...claimsOfAccount].flatMap(([accountId, claims]) =>
    chunks(claims, jobsPerDelete).map((chunk) => ({
      [mapping.accountField]: accountId,
      _id: { $in: chunk },
    })),
  );
  await Promise.all(
    Array.from({ length: deletesInFlight }, async () => {
      for (let filter = deletes.pop(); filter !== undefined; filter = deletes.pop())
        await jobs.deleteMany(filter);
    }),
  );
}

/** A deletion of one part is completed at once; of several, by whoever records the last of them. */
async function recordParts(
  parts: readonly RemovalPart[],
  atMs: number,
  { deletions }: Collections,
): Promise<void> {
  const complete = {
    $set: { state: 'completed' as const, completed_at: new Date(atMs) },
    $unset: { due_at: 1 as const },
  };
  const single = parts.filter((part) => part.parts === 1).map(({ deletionId }) => deletionId);
  const steps: mongo.AnyBulkWriteOperation<DeletionDocument>[] = [];
  if (single.length > 0) {
    steps.push({
      updateMany: { filter: { _id: { $in: single }, state: { $ne: 'completed' } }, update: complete },
    });
  }
  for (const { deletionId, part, parts: count } of parts.filter((candidate) => candidate.parts > 1)) {
    const open = { _id: deletionId, state: { $ne: 'completed' as const } };
    steps.push({ updateOne: { filter: open, update: { $addToSet: { removed_parts: part } } } });
    steps.push({ updateOne: { filter: { ...open, removed_parts: { $size: count } }, update: complete } });
  }
  if (steps.length > 0) await deletions.bulkWrite(steps, { ordered: true });
}

function chunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}
