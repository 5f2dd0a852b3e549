import { Fault } from '@jobs-delete/runtime/fault';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import { outcomeOfUsedKey, missingAmong } from '../accept-outcomes.ts';
import type { AcceptOutcome, AcceptRequest, MissingJobs } from '../store.ts';
import type { DeletionDocument } from './collections.ts';
import { jobsOf, type FoundJobs, type JobsWanted, type TimedCollections } from './find-jobs.ts';
import type { FoundJob } from './read-claim.ts';
import { readDeletionDocument } from './read-document.ts';

export interface Refused {
  readonly request: AcceptRequest;
  /** Returns whether that deletion comes after this one in the same call. */
  readonly isLater: (deletionId: string) => boolean;
  /** True if the server reported a duplicate key: the other document with the key is on a majority. */
  readonly isProven: boolean;
}

/** Maps a claim, as hex, to the id of its deletion. */
type Holders = ReadonlyMap<string, string>;

/** Queries in flight at a time, for all refused requests of one group. */
const maxQueries = 4;

/**
 * Finds the reasons for refusals. All refused requests of one account share the queries. A used key is checked first: the
 * jobs of a replayed request are already claimed or removed.
 * @returns an outcome, or the Fault of this request alone, by deletion id
 */
export async function explainRefusals(
  refused: readonly Refused[],
  found: FoundJobs,
  collections: TimedCollections,
): Promise<ReadonlyMap<string, AcceptOutcome | Fault>> {
  const outcomes = new Map<string, AcceptOutcome | Fault>();
  await forEachAtMost(maxQueries, byAccount(refused), async ([accountId, ofAccount]) => {
    try {
      const keys = await findUsedKeys(accountId, ofAccount, collections);
      const open = ofAccount.filter(({ request }) => {
        const outcome = keys.get(request.deletionId);
        if (outcome !== undefined) outcomes.set(request.deletionId, outcome);
        return outcome === undefined;
      });
      if (open.length === 0) return;
      const wanted = open.flatMap(({ request }) => jobsOf(request, found));
      const holders = await findHolders(accountId, wanted, collections);
      for (const one of open) outcomes.set(one.request.deletionId, outcomeOfJobs(one, holders, found));
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault('internal', String(error), error);
      for (const { request } of ofAccount)
        if (!outcomes.has(request.deletionId)) outcomes.set(request.deletionId, fault);
    }
  });
  return outcomes;
}

/**
 * Reads the ids of a deletion only if a request has the same number of ids: otherwise its ids differ anyway.
 * @returns the outcomes of the requests whose keys are used, by deletion id
 */
async function findUsedKeys(
  accountId: string,
  refused: readonly Refused[],
  { deletions, remainingMs }: TimedCollections,
): Promise<ReadonlyMap<string, AcceptOutcome>> {
  const keyed = refused.filter(({ request }) => request.idempotencyKey !== undefined);
  if (keyed.length === 0) return new Map();
  const keys = keyed.map(({ request }) => request.idempotencyKey ?? '');
  const maxTimeMS = remainingMs();
  // A linearizable read sees every majority write and nothing that can be rolled back. A majority read may miss
  // writes for a moment after an election.
  const readConcern = keyed.every(({ isProven }) => isProven) ? 'local' : 'linearizable';
  const filter = { account_id: accountId, idempotency_key: { $in: keys } };
  const sizes = keyed.map(({ request }) => request.jobIds.length);
  const isSameSize = { $in: ['$job_count', sizes] };
  const ifSameSize = (field: string) => ({ $cond: [isSameSize, field, []] });
  const projection = {
    ...Object.fromEntries(replayedFields.map((field) => [field, 1])),
    job_ids: ifSameSize('$job_ids'),
    claims: ifSameSize('$claims'),
  };
  const options = { projection, readConcern, maxTimeMS } as const;
  const used = await mongoRead(() => deletions.find(filter, options).toArray(), maxTimeMS);
  const byKey = new Map(used.map((document) => [document.idempotency_key, document]));
  const outcomes = new Map<string, AcceptOutcome>();
  for (const { request } of keyed) {
    const document = byKey.get(request.idempotencyKey);
    if (document !== undefined)
      outcomes.set(request.deletionId, outcomeOfUsedKey(readDeletionDocument(document), request.jobIds));
  }
  return outcomes;
}

const replayedFields = [
  ...[
    '_id',
    'account_id',
    'job_count',
    'state',
    'accepted_at',
    'published_at',
    'completed_at',
    'publications',
  ],
  ...['idempotency_key', 'origin'],
] as const satisfies readonly (keyof DeletionDocument)[];

/** Finds which of the jobs are claimed, and by which deletions. @throws Fault */
export async function findHolders(
  accountId: string,
  jobs: readonly FoundJob[],
  { deletions, remainingMs }: TimedCollections,
): Promise<Holders> {
  const wanted = jobs.flatMap(({ claim }) => claim ?? []);
  if (wanted.length === 0) return new Map();
  const maxTimeMS = remainingMs();
  const filter = { account_id: accountId, claims: { $in: wanted } };
  // Reads only the claims that are asked for: the deletion may have thousands more.
  const projection = { claims: { $setIntersection: ['$claims', wanted] } };
  const options = { projection, hint: { account_id: 1, claims: 1 }, maxTimeMS };
  const found = await mongoRead(() => deletions.find(filter, options).toArray(), maxTimeMS);
  return new Map(
    found.flatMap(({ _id, claims }) => claims.map((claim) => [claim.toHexString(), _id] as const)),
  );
}

/** Counts a job as missing if the account does not have it, or if a deletion that is not disregarded has claimed it. */
export function missingOf(
  { accountId, jobIds }: JobsWanted,
  found: FoundJobs,
  holders: Holders,
  isDisregarded: (deletionId: string) => boolean = () => false,
): MissingJobs {
  const ofAccount = found.get(accountId);
  return missingAmong(jobIds, (id) => {
    const claim = ofAccount?.get(id)?.claim;
    if (claim === undefined) return true;
    const holder = holders.get(claim.toHexString());
    return holder !== undefined && !isDisregarded(holder);
  });
}

/** Prefers missing jobs that do not depend on later requests of the same call. */
function outcomeOfJobs({ request, isLater }: Refused, holders: Holders, found: FoundJobs) {
  for (const isDisregarded of [isLater, undefined]) {
    const missing = missingOf(request, found, holders, isDisregarded);
    if (missing.positions.length > 0) return { kind: 'jobs-not-found' as const, missing };
  }
  return new Fault('unavailable', 'MongoDB: the deletion that claimed the jobs has expired; try again');
}

function byAccount(refused: readonly Refused[]): Map<string, Refused[]> {
  const groups = new Map<string, Refused[]>();
  for (const one of refused) {
    const group = groups.get(one.request.accountId);
    if (group === undefined) groups.set(one.request.accountId, [one]);
    else group.push(one);
  }
  return groups;
}

async function forEachAtMost<Item>(
  limit: number,
  items: Iterable<Item>,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const work = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: limit }, work));
}
