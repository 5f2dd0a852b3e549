import { noSuchDeletion, rangeInRecord } from '../fits-record.ts';
import { toRecordedPart, type ClaimRange } from '../removed-parts.ts';
import type { DeletionKey, RefusedPart, RemovalAnswer, RemovalPart } from '../store.ts';
import { byId, type Collections, type DeletionDocument } from './collections.ts';
import { deleteJobs, type ClaimedJobs, type Removing } from './delete-jobs.ts';
import { claimsAtAcceptance } from './read-document.ts';
import { recordKept, recordParts, type RemovedPart } from './record-parts.ts';

/**
 * The timeout of one attempt, at the client and at the server: half of the worker's session with Kafka. The next attempt
 * continues after the jobs that this one has deleted.
 */
export const removalTimeoutMs = 15_000;

type Recorded = Pick<
  DeletionDocument,
  '_id' | 'account_id' | 'claims' | 'state' | 'jobs_collection' | 'versions' | 'kept'
>;

/** A part that fits the record. */
interface KnownPart {
  readonly deletion: Recorded;
  readonly claimed: ClaimedJobs;
  readonly removed: RemovedPart;
}

/** Removes the jobs first, then records the parts. After a crash in between, the redelivered part removes nothing twice. */
export async function removeJobs(
  parts: readonly RemovalPart[],
  atMs: number,
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
  await recordKept(kept, recorded, removing, removing.remainingMs());
  const removedParts = open.map((part) => part.removed);
  await recordParts(removedParts, atMs, removing, removing.remainingMs());
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
  const recorded = toRecordedPart(range, claims.length);
  const removed = { deletionId: part.deletionId, recorded, isWhole };
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

async function findDeletions(
  parts: readonly RemovalPart[],
  { deletions, remainingMs }: Removing,
): Promise<Map<string, Recorded>> {
  const accounts = [...new Set(parts.map(({ accountId }) => accountId))];
  const ids = [...new Set(parts.map(({ deletionId }) => deletionId))];
  const projection = { account_id: 1, claims: 1, state: 1, jobs_collection: 1, versions: 1, kept: 1 };
  const found = await deletions
    .find<Recorded>(
      { account_id: { $in: accounts }, _id: { $in: ids } },
      { projection, maxTimeMS: remainingMs(), ...byId },
    )
    .toArray();
  return new Map(found.map((deletion) => [deletion._id, deletion]));
}
