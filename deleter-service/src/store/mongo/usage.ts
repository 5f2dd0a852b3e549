import { Fault } from '@jobs-delete/runtime/fault';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import type { ProcessClock } from '@jobs-delete/runtime/time/clock';
import type { mongo } from 'mongoose';
import {
  countedMs,
  limitAt,
  quarterMs,
  type DeletionUsage,
  type Guard,
  type UsageStore,
} from '../safety-rules.ts';
import { byAccepted, byId, byJob, type Collections } from './collections.ts';

/** One for each account that has a limit. All times are of the server, except those of `accepted`. */
export interface UsageDocument {
  /** The account. */
  _id: string;
  /** Jobs of accepted deletions, by quarters of an hour. */
  quarters?: { at: Date; jobs: number }[];
  /** The most jobs that the account had in each quarter in which they were counted. Only for a share. */
  counts?: { at: Date; jobs: number }[];
  counted_at?: Date;
  holds?: HoldDocument[];
  /** Allowances that were ended early. Apis may still have them in cached rules. */
  ended?: { id: string; at: Date }[];
}

/** Jobs that one replica has reserved: it accepts deletions of as many jobs without asking again. */
export interface HoldDocument {
  id: string;
  jobs: number;
  at: Date;
  /** The deletions accepted under the hold have an `accepted_at` in this range: both are times of the replica. */
  accepted_from: Date;
  accepted_to: Date;
  /** Another request needs the jobs. The replica returns the unused ones; if it is gone, others count for it. */
  wanted?: Date;
}

export interface UsageWrite {
  /** Holds that shrink to their used jobs, or end. Ending a hold twice has no effect. */
  readonly closing: readonly ClosingHold[];
  /** Undefined: nothing is reserved. */
  readonly reserve: Reservation | undefined;
  /** The jobs that the account has. */
  readonly counted: number | undefined;
}

export interface ClosingHold {
  readonly id: string;
  /** `open`: the hold keeps `jobs`. `ended`: `jobs` are used. `lost`: outcomes are unknown, so the deletions are read later. */
  readonly state: 'open' | 'ended' | 'lost';
  readonly jobs: number;
}

export interface Reservation {
  readonly id: string;
  readonly guard: Guard;
  /** Jobs of all waiting requests, and of the smallest one. */
  readonly need: number;
  readonly least: number;
  readonly acceptedFromMs: number;
  readonly acceptedToMs: number;
}

/** The usage that no open hold can change, and the jobs that open holds reserve. */
export interface CertainUsage {
  /** Jobs of ended holds. */
  readonly used: number;
  readonly held: number;
  /** Null for a share, while the jobs are not counted. */
  readonly limit: number | null;
  /** Null if they were never counted. */
  readonly countAgeMs: number | null;
  /** Holds whose replica did not return them in time: it is gone, and none of its inserts can arrive any more. */
  readonly abandoned: readonly HoldDocument[];
}

/**
 * A hold is counted by others this long after it was wanted. A replica stops using a hold `maxUnconfirmedMs` after its last
 * look; the last insert starts at its deadline (30 s), may be sent again when the driver closes a silent connection (43 s),
 * and ends at the time limit of the server (30 s).
 */
const abandonedMs = 120_000;
/** A replica ends a hold after `maxHoldMs`, and uses it no longer than `maxUnconfirmedMs` without a look. */
const maxUseMs = 120_000;
/** A replica reserves one of this many parts of the free jobs at once. */
const shares = 32;

const writeTimeoutMs = 5_000;
const countTimeoutMs = 30_000;
const now = '$$NOW';
const quarterOf = (time: unknown) => ({ $subtract: [time, { $mod: [{ $toLong: time }, quarterMs] }] });
const thisQuarter = quarterOf(now);

/** Ends and opens holds in one atomic update. @returns the document after it */
export async function writeUsage(
  accountId: string,
  { closing, reserve, counted }: UsageWrite,
  { deletionUsage }: Pick<Collections, 'deletionUsage'>,
): Promise<UsageDocument> {
  const steps = [
    { $set: { quarters: young('$quarters'), counts: young('$counts'), holds: young('$holds') } },
    ...(closing.length === 0 ? [] : closeSteps(closing)),
    ...(counted === undefined
      ? []
      : [{ $set: { counts: merged('$counts', counted, '$max'), counted_at: now } }]),
    ...(reserve === undefined ? [] : reserveSteps(reserve)),
  ];
  const options = { upsert: true, returnDocument: 'after', maxTimeMS: writeTimeoutMs } as const;
  const write = () => deletionUsage.findOneAndUpdate({ _id: accountId }, steps, options);
  // Classified like a read: no deletion has changed. A hold that is reserved nevertheless is ended later.
  return (await mongoRead(write, writeTimeoutMs)) ?? { _id: accountId };
}

/** Leaves out what no longer counts. A missing array is empty. */
function young(array: string) {
  const isYoung = { $gt: ['$$one.at', { $subtract: [now, countedMs] }] };
  return { $filter: { input: { $ifNull: [array, []] }, as: 'one', cond: isYoung } };
}

function closeSteps(closing: readonly ClosingHold[]) {
  const ended = closing.filter(({ state }) => state === 'ended').map(({ id }) => id);
  const lost = closing.filter(({ state }) => state === 'lost').map(({ id }) => id);
  const branches = closing.map(({ id, jobs }) => ({
    case: { $eq: ['$$hold.id', id] },
    then: { $min: ['$$hold.jobs', jobs] },
  }));
  const wanted = { $ifNull: ['$$hold.wanted', { $cond: [{ $in: ['$$hold.id', lost] }, now, '$$REMOVE'] }] };
  const shrunk = {
    $mergeObjects: ['$$hold', { jobs: { $switch: { branches, default: '$$hold.jobs' } }, wanted }],
  };
  const isEnded = { $in: ['$$hold.id', ended] };
  // Others may end the hold of a dead process a day later.
  const withUsed = merged('$quarters', '$used', '$add', quarterOf({ $min: [now, '$usedBy'] }));
  const holdsWhere = (cond: object) => ({ $filter: { input: '$holds', as: 'hold', cond } });
  return [
    { $set: { holds: { $map: { input: '$holds', as: 'hold', in: shrunk } } } },
    {
      $set: {
        used: { $sum: { $map: { input: holdsWhere(isEnded), in: '$$this.jobs' } } },
        usedBy: { $max: { $map: { input: holdsWhere(isEnded), in: { $add: ['$$this.at', maxUseMs] } } } },
      },
    },
    { $set: { holds: holdsWhere({ $not: [isEnded] }) } },
    { $set: { quarters: { $cond: [{ $gt: ['$used', 0] }, withUsed, '$quarters'] } } },
    { $unset: ['used', 'usedBy'] },
  ];
}

/** Merges a number into the entry of the quarter. */
function merged(array: string, jobs: unknown, how: '$add' | '$max', at: object = thisQuarter) {
  const ofThis = { $filter: { input: array, cond: { $eq: ['$$this.at', at] } } };
  const others = { $filter: { input: array, cond: { $ne: ['$$this.at', at] } } };
  const before = { $sum: { $map: { input: ofThis, as: 'one', in: '$$one.jobs' } } };
  return { $concatArrays: [others, [{ at, jobs: { [how]: [before, jobs] } }]] };
}

function limitOf({ limit, allowances }: Guard) {
  const had = { $max: '$counts.jobs' };
  const base =
    limit.kind === 'jobs' ? limit.jobs : { $floor: { $divide: [{ $multiply: [had, limit.percent] }, 100] } };
  const isEnded = (id: string) => ({ $in: [{ $literal: id }, { $ifNull: ['$ended.id', []] }] });
  const raised = allowances.map(({ id, jobs, untilMs }) => ({
    $cond: [{ $and: [{ $gt: [new Date(untilMs), now] }, { $not: [isEnded(id)] }] }, jobs, 0],
  }));
  return { $add: [base, ...raised] };
}

/** Reserves what is needed, and some more if much is free. Else asks all holds to be returned. */
function reserveSteps({ id, guard, need, least, acceptedFromMs, acceptedToMs }: Reservation) {
  const taken = { $add: [{ $sum: '$quarters.jobs' }, { $sum: '$holds.jobs' }] };
  const share = { $floor: { $divide: ['$free', shares] } };
  const wished = { $min: ['$free', { $max: [need, share] }] };
  const hold = {
    id,
    jobs: '$granted',
    at: now,
    accepted_from: new Date(acceptedFromMs),
    accepted_to: new Date(acceptedToMs),
  };
  return [
    { $set: { free: { $subtract: [limitOf(guard), taken] } } },
    // A free that is null, because the jobs are not counted, is less than any number.
    { $set: { granted: { $cond: [{ $gte: ['$free', least] }, wished, 0] } } },
    {
      $set: {
        holds: {
          $cond: [{ $gt: ['$granted', 0] }, { $concatArrays: ['$holds', [hold]] }, allWanted('$holds')],
        },
      },
    },
    { $unset: ['free', 'granted'] },
  ];
}

function allWanted(holds: unknown) {
  const asked = { $mergeObjects: ['$$hold', { wanted: { $ifNull: ['$$hold.wanted', now] } }] };
  return { $map: { input: holds, as: 'hold', in: asked } };
}

/** A replica looks for wanted holds every 500 ms. */
const [maxReturnMs, returnLookMs] = [3_000, 100];
const isAbandoned = { $lt: [{ $ifNull: ['$$hold.wanted', now] }, { $subtract: [now, abandonedMs] }] };

/** Marks an allowance as ended. Resolves once all holds of that moment are returned or abandoned. @throws Fault `unavailable` if one is late */
export async function endUse(
  accountId: string,
  allowanceId: string,
  { deletionUsage }: Pick<Collections, 'deletionUsage'>,
  clock: Pick<ProcessClock, 'sleep'>,
): Promise<void> {
  const ended = { $concatArrays: [young('$ended'), [{ id: { $literal: allowanceId }, at: now }]] };
  const steps = [{ $set: { ended, holds: allWanted(young('$holds')) } }];
  const options = { upsert: true, returnDocument: 'after', maxTimeMS: writeTimeoutMs } as const;
  const write = () => deletionUsage.findOneAndUpdate({ _id: accountId }, steps, options);
  const holds = (await mongoRead(write, writeTimeoutMs))?.holds ?? [];
  const isOpen = { $and: [{ $in: ['$$hold.id', holds.map(({ id }) => id)] }, { $not: [isAbandoned] }] };
  const open = { $filter: { input: { $ifNull: ['$holds', []] }, as: 'hold', cond: isOpen } };
  const returned = { _id: accountId, $expr: { $eq: [open, []] } };
  for (let waitedMs = 0; ; waitedMs += returnLookMs) {
    const find = () => deletionUsage.findOne(returned, { projection: { _id: 1 }, maxTimeMS: writeTimeoutMs });
    if ((await mongoRead(find, writeTimeoutMs)) !== null) return;
    if (waitedMs >= maxReturnMs)
      throw new Fault('unavailable', 'a replica may use the allowance for two more minutes');
    await clock.sleep(returnLookMs);
  }
}

/** Reads by the clock of the server. */
export async function readCertainUsage(
  accountId: string,
  guard: Guard,
  { deletionUsage }: Pick<Collections, 'deletionUsage'>,
): Promise<CertainUsage> {
  const steps = [
    { $match: { _id: accountId } },
    { $set: { quarters: young('$quarters'), counts: young('$counts'), holds: young('$holds') } },
    {
      $project: {
        _id: 0,
        used: { $sum: '$quarters.jobs' },
        held: { $sum: '$holds.jobs' },
        limit: limitOf(guard),
        countAgeMs: { $ifNull: [{ $subtract: [now, '$counted_at'] }, null] },
        abandoned: { $filter: { input: '$holds', as: 'hold', cond: isAbandoned } },
      },
    },
  ];
  const options = { ...byId, maxTimeMS: writeTimeoutMs };
  const read = () => deletionUsage.aggregate<CertainUsage>(steps, options).toArray();
  const [found] = await mongoRead(read, writeTimeoutMs);
  if (found !== undefined) return found;
  // The account has used nothing. Only an allowance that ends just now depends on the clock of this process.
  const limit = guard.limit.kind === 'jobs' ? limitAt(guard, 0, Date.now()) : null;
  return { used: 0, held: 0, limit, countAgeMs: null, abandoned: [] };
}

/** Counts the jobs that were accepted under an abandoned hold. */
export async function countHeldJobs(
  accountId: string,
  { id, accepted_from, accepted_to }: HoldDocument,
  { deletions }: Pick<Collections, 'deletions'>,
): Promise<number> {
  const steps = [
    { $match: { account_id: accountId, accepted_at: { $gte: accepted_from, $lte: accepted_to }, hold: id } },
    { $group: { _id: null, jobs: { $sum: '$job_count' } } },
  ];
  // Sees every insert on a majority, also just after an election.
  const options = { ...byAccepted, readConcern: 'linearizable', maxTimeMS: countTimeoutMs } as const;
  const read = () => deletions.aggregate<{ jobs: number }>(steps, options).toArray();
  return (await mongoRead(read, countTimeoutMs))[0]?.jobs ?? 0;
}

/** Counts the jobs that the account has. Queued ones count until they are removed. */
export function countAccountJobs(
  accountId: string,
  { jobs, mapping }: Pick<Collections, 'jobs' | 'mapping'>,
): Promise<number> {
  const options: mongo.CountOptions = { ...byJob(mapping), maxTimeMS: countTimeoutMs };
  const ofAccount = { [mapping.accountField]: accountId };
  return mongoRead(() => jobs.countDocuments(ofAccount, options), countTimeoutMs);
}

/** Uses the clock of this process, which only decides how often jobs are counted. */
export function countAgeOf({ counts = [], counted_at }: UsageDocument): number {
  return counts.length === 0 || counted_at === undefined
    ? Infinity
    : Math.abs(Date.now() - counted_at.getTime());
}

export function usageStoreOf(collections: Collections): UsageStore {
  return {
    readUsage: async (accountId, guard): Promise<DeletionUsage> => {
      const { used, held, limit } = await readCertainUsage(accountId, guard, collections);
      return { used, held, limit: limit ?? undefined };
    },
  };
}
