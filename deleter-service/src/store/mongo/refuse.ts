import { groupBy } from '@jobs-delete/runtime/batching/groups';
import { asFault, Fault } from '@jobs-delete/runtime/fault';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo } from 'mongoose';
import { missingAmong, outcomeOfRecord, outcomeOfUsedKey } from '../accept-outcomes.ts';
import type { LimitExceeded } from '../safety-rules.ts';
import type { AcceptOutcome, AcceptRequest, Answer } from '../store.ts';
import {
  anyOf,
  byClaims,
  byId,
  readDeletionDocument,
  receiptFields,
  withKeys,
  type DeletionDocument,
  type TimedCollections,
} from './collections.ts';
import { jobsOf, type FoundJobs } from './find-jobs.ts';

/** A request that was not inserted: a job is missing, a key is a duplicate, or it is a dry run. */
export interface NotInserted {
  readonly index: number;
  readonly request: AcceptRequest;
  /** True if the duplicate key is the deletion's id. */
  readonly isIdTaken: boolean;
  /** Present if the request exceeds the limit of its account. */
  readonly exceeded?: LimitExceeded;
}

/**
 * Finds the reasons for refusals and answers them. All requests of a call share the queries. The deletion's id is checked
 * first, then the idempotency key, then the jobs: those of a repeated request are already claimed or removed.
 * Never rejects: a failed query answers the requests with its Fault.
 */
export async function explainRefusals(
  refused: readonly NotInserted[],
  found: FoundJobs,
  requests: readonly AcceptRequest[],
  collections: TimedCollections,
  answer: Answer,
  mayRepeat = true,
): Promise<void> {
  const open = new Set(refused);
  const settle = (one: NotInserted, outcome: AcceptOutcome | Fault) => {
    open.delete(one);
    answer(one.index, outcome);
  };
  try {
    const outcomeOnRecord = await findRecords(refused, collections);
    for (const one of refused) {
      const outcome = outcomeOnRecord(one);
      if (outcome !== undefined) settle(one, outcome);
    }
    const holders = await findHolders([...open], found, collections);
    const positions = new Map(requests.map(({ deletionId }, index) => [deletionId, index]));
    // A deletion that appeared after the search by id and key decides: the answer must hold at one moment.
    const again = [...(mayRepeat ? open : [])].filter(({ request }) =>
      jobsOf(request, found).some(({ claim }) => isOwn(claim && holders.get(claim.toHexString()), request)),
    );
    for (const one of again) open.delete(one);
    for (const one of open) {
      // A repetition has the id of a deletion that was accepted at another time, before this call.
      const isLater = ({ deletionId, acceptedAtMs }: Holder) => {
        const index = positions.get(deletionId) ?? -1;
        return index > one.index && requests[index]?.acceptedAtMs === acceptedAtMs;
      };
      settle(one, outcomeOfJobs(one, holders, found, isLater));
    }
    if (again.length > 0) await explainRefusals(again, found, requests, collections, answer, false);
  } catch (error) {
    const fault = asFault(error);
    for (const one of open) settle(one, fault);
  }
}

/** Finds the deletions that have the ids or idempotency keys of the requests. */
async function findRecords(
  refused: readonly NotInserted[],
  { deletions, remainingMs }: TimedCollections,
): Promise<(refused: NotInserted) => AcceptOutcome | undefined> {
  const live = refused.filter(({ request }) => !request.dryRun);
  if (live.length === 0) return () => undefined;
  const maxTimeMS = remainingMs();
  // A linearizable read sees every majority write and nothing that can be rolled back. A majority read may miss
  // writes for a moment after an election, and a deposed primary still reports a key that is free by now.
  const readConcern = 'linearizable';
  const sizes = [...new Set(live.map(({ request }) => request.jobIds.length))];
  // Reads the ids of a deletion only if a request has the same number of ids: otherwise its ids differ anyway.
  const ifSameSize = (field: string) => ({ $cond: [{ $in: ['$job_count', sizes] }, field, []] });
  const projection = {
    ...receiptFields,
    kept: 1,
    job_ids: ifSameSize('$job_ids'),
    claims: ifSameSize('$claims'),
  };
  const find = (filter: mongo.Filter<DeletionDocument>, hint: Readonly<Record<string, 1>>) =>
    deletions.find(filter, { projection, readConcern, maxTimeMS, hint }).toArray();
  const accounts = groupBy(live, ({ request }) => request.accountId);
  const filtersOfKeys = [...accounts].flatMap(([account_id, ofAccount]) => {
    const keys = ofAccount.flatMap(({ request }) => request.idempotencyKey ?? []);
    return keys.length === 0 ? [] : [{ account_id, idempotency_key: { $in: keys } }];
  });
  const [withId, withKey] = await mongoRead(
    () =>
      Promise.all([
        find(withKeys(live.map(({ request }) => request)), byId.hint),
        filtersOfKeys.length === 0 ? [] : find(anyOf(filtersOfKeys), { account_id: 1, idempotency_key: 1 }),
      ]),
    maxTimeMS,
  );
  const keyOf = (accountId: string, key: string) => JSON.stringify([accountId, key]);
  const byDeletionId = new Map(withId.map((document) => [document._id, document]));
  const byKey = new Map(withKey.map((each) => [keyOf(each.account_id, each.idempotency_key ?? ''), each]));
  return ({ request, isIdTaken }) => {
    if (request.dryRun) return undefined;
    const record = byDeletionId.get(request.deletionId);
    if (record !== undefined) return outcomeOfRecord(readDeletionDocument(record), request);
    if (isIdTaken) return { kind: 'key-reused' };
    const used =
      request.idempotencyKey === undefined
        ? undefined
        : byKey.get(keyOf(request.accountId, request.idempotencyKey));
    return used && outcomeOfUsedKey(readDeletionDocument(used), request);
  };
}

interface Holder {
  readonly deletionId: string;
  readonly acceptedAtMs: number;
  readonly key: string | undefined;
}

/** Returns whether the holder has the id or the key of the request. A dry run has neither. */
function isOwn(holder: Holder | undefined, { deletionId, idempotencyKey, dryRun }: AcceptRequest): boolean {
  if (holder === undefined || dryRun) return false;
  return holder.deletionId === deletionId || (idempotencyKey !== undefined && holder.key === idempotencyKey);
}

/** Maps a claim, as hex, to its deletion. */
type Holders = ReadonlyMap<string, Holder>;

/** Finds which of the requests' jobs are claimed, and by which deletions. */
async function findHolders(
  refused: readonly NotInserted[],
  found: FoundJobs,
  { deletions, remainingMs }: TimedCollections,
): Promise<Holders> {
  const filters: { account_id: string; claims: { $in: mongo.ObjectId[] } }[] = [];
  for (const [account_id, ofAccount] of groupBy(refused, ({ request }) => request.accountId)) {
    const jobs = ofAccount.flatMap(({ request }) => jobsOf(request, found));
    const wanted = jobs.flatMap(({ claim }) => claim ?? []);
    if (wanted.length > 0) filters.push({ account_id, claims: { $in: wanted } });
  }
  if (filters.length === 0) return new Map();
  const maxTimeMS = remainingMs();
  const wanted = filters.flatMap(({ claims }) => claims.$in);
  const { projection: ofWanted, hint } = byClaims(wanted);
  const options = { projection: { ...ofWanted, accepted_at: 1, idempotency_key: 1 }, hint, maxTimeMS };
  const holding = await mongoRead(() => deletions.find(anyOf(filters), options).toArray(), maxTimeMS);
  return new Map(
    holding.flatMap(({ _id, claims, accepted_at, idempotency_key: key }) => {
      const holder = { deletionId: _id, acceptedAtMs: accepted_at.getTime(), key };
      return claims.map((claim) => [claim.toHexString(), holder] as const);
    }),
  );
}

/**
 * Counts a job as missing if the account does not have it, or if a deletion has claimed it. Prefers missing jobs that do
 * not depend on later requests of the same call.
 */
function outcomeOfJobs(
  { request, exceeded }: NotInserted,
  holders: Holders,
  found: FoundJobs,
  isLater: (holder: Holder) => boolean,
): AcceptOutcome | Fault {
  const ofAccount = found.get(request.accountId);
  for (const isDisregarded of [isLater, () => false]) {
    const positions = missingAmong(request.jobIds, (id) => {
      const claim = ofAccount?.get(id)?.claim;
      if (claim === undefined) return true;
      const holder = holders.get(claim.toHexString());
      return holder !== undefined && !isDisregarded(holder);
    });
    if (positions.length > 0) return { kind: 'jobs-not-found', positions };
  }
  if (exceeded !== undefined) return { kind: 'limit-exceeded', ...exceeded };
  if (request.dryRun) return { kind: 'would-be-accepted' };
  return new Fault(
    'unavailable',
    'MongoDB: the deletion that claimed the jobs has expired or is cancelled; try again',
  );
}
