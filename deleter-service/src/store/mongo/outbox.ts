import { randomUUID } from 'node:crypto';
import { firstByWeight } from '@jobs-delete/runtime/batching/groups';
import { Fault } from '@jobs-delete/runtime/fault';
import { mongoRead, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import type { ProcessClock } from '@jobs-delete/runtime/time/clock';
import type { mongo } from 'mongoose';
import type { Deletion, DeletionState } from '../deletion.ts';
import type { DeletionKey, LeaseQuery, Outbox, OutboxStore } from '../store.ts';
import {
  byDue,
  byId,
  hasBegun,
  isOpen,
  readDeletionDocument,
  withKeys,
  type Collections,
  type DeletionDocument,
} from './collections.ts';

/** The limit of one command. A shard that hangs must not hold many connections. */
const stepMs = 2_000;
/** How long the caller of a lease waits. */
const leaseTimeoutMs = 10_000;
/** No look starts later. Its four commands then end before the caller leaves: a call without a caller must not lease. */
const maxLooksMs = 2_000;
/** A slow record delays later ones, and a publication without a record is repeated when its lease ends. */
const recordTimeoutMs = 5_000;

export function outboxStoreOf(collections: Collections, clock: Pick<ProcessClock, 'uptime'>): OutboxStore {
  const { deletions } = collections;
  const once = { ...byId, maxTimeMS: stepMs };
  return {
    leaseDue: (query) => mongoWrite(() => leaseDue(query, collections, clock), leaseTimeoutMs),
    leaseOpen: (keys, untilMs) =>
      mongoWrite(async () => {
        const { leased, failure } = await lease(keys, isOpen, untilMs, deletions);
        if (failure !== undefined) throw failure.error;
        return leased.map(readDeletionDocument);
      }, leaseTimeoutMs),
    markPublished: (leased, atMs, nextDueAtMs) =>
      mongoWrite(async () => {
        const leaseEndsMs = new Set(leased.map(({ leasedUntilMs }) => leasedUntilMs));
        const due_at = { $in: [...leaseEndsMs].map((endMs) => new Date(endMs)) };
        await deletions.updateMany(
          { ...withKeys(leased), ...hasBegun, due_at },
          {
            $set: { state: 'published', published_at: new Date(atMs), due_at: new Date(nextDueAtMs) },
            $inc: { publications: 1 },
          },
          once,
        );
      }, recordTimeoutMs),
    postpone: (keys, dueAtMs) =>
      mongoWrite(async () => {
        const due_at = new Date(dueAtMs);
        const named = { ...withKeys(keys), ...hasBegun };
        const { matchedCount } = await deletions.updateMany(named, { $set: { due_at } }, once);
        if (matchedCount === named._id.$in.length) return;
        // A deposed primary may lack a deletion, and confirms a write of nothing. Another postponement meanwhile looks the same.
        const unchanged = await deletions.findOne(
          { ...named, due_at: { $ne: due_at } },
          { ...once, projection: { _id: 1 }, readConcern: 'linearizable' },
        );
        if (unchanged !== null)
          throw new Fault(
            'unavailable',
            `MongoDB: the deletion ${unchanged._id} was not postponed; try again`,
          );
      }, recordTimeoutMs),
    releaseLeases: () =>
      mongoWrite(async () => {
        for (const state of ['accepted', 'cancelled'] as const)
          await deletions.updateMany(inState(state), { $set: { due_at: new Date(0) } }, byDue);
      }),
    measureOutbox: (maxDeletions = 100_000) =>
      mongoRead(async () => {
        const [accepted, published] = await Promise.all([
          measure('accepted', maxDeletions, deletions),
          measure('published', maxDeletions, deletions),
        ]);
        return { accepted, published };
      }, 2_000),
  };
}

/**
 * Leases by one update, so no deletion is leased twice. A shard that is away costs only its own accounts: mongos sends the
 * update to all shards at once and leaves shards that are away out of reads (`allowPartialResults`; one that hangs is left
 * out after the time limit by MongoDB 7.0 and newer, and fails the read before).
 */
async function leaseDue(
  query: LeaseQuery,
  { deletions }: Collections,
  clock: Pick<ProcessClock, 'uptime'>,
): Promise<Deletion[]> {
  const endsAt = clock.uptime() + maxLooksMs;
  const isInTime = () => clock.uptime() < endsAt;
  while (isInTime()) {
    const found = await findDue(query, deletions, isInTime);
    if (found.length === 0) return [];
    const chosen = firstByWeight(found, ({ job_count }) => job_count, query.maxJobs);
    const keys = chosen.map(({ _id, account_id }) => ({ deletionId: _id, accountId: account_id }));
    const { leased, failure } = await lease(keys, isDue(query), query.untilMs, deletions);
    if (leased.length > 0) {
      const order = new Map(chosen.map(({ _id }, index) => [_id, index]));
      return leased.map(readDeletionDocument).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
    }
    if (failure !== undefined) throw failure.error;
    // Another replica was faster with all of these. Others may be due.
  }
  return [];
}

/** Returns what is leased even if the update fails: a shard may be away. */
async function lease(
  deletionKeys: readonly DeletionKey[],
  condition: mongo.Filter<DeletionDocument>,
  untilMs: number,
  deletions: Collections['deletions'],
) {
  const keys = withKeys(deletionKeys);
  const change = { due_at: new Date(untilMs), leased_by: randomUUID(), state: stateOnceBegun };
  const failure = await deletions
    .updateMany({ ...keys, ...condition }, [{ $set: change }], { ...byId, maxTimeMS: stepMs })
    .then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
  // Reads with majority: after a rollback of the lease, the deletion could be cancelled again.
  const leased = await deletions
    .find({ ...keys, leased_by: change.leased_by }, { ...byId, ...partial, readConcern: 'majority' })
    .toArray();
  return { leased, failure };
}

/** Ends the wait of a deletion: it can't be cancelled any more. */
const stateOnceBegun = { $cond: [{ $eq: ['$state', 'waiting'] }, 'accepted', '$state'] };

const partial = { allowPartialResults: true, maxTimeMS: stepMs } as const;

/** Replicas share the first pages of due deletions. */
const pagesShared = 4;

/** After an outage all replicas sweep at once: each finds another part of the first pages. */
async function findDue(query: LeaseQuery, deletions: Collections['deletions'], isInTime: () => boolean) {
  const { maxDeletions } = query;
  const due = { ...isDue(query), ...notOf(query.exceptAccounts) };
  while (isInTime()) {
    const limit = maxDeletions * pagesShared;
    // Reads only index keys.
    const first = await deletions
      .find(due, { projection: { _id: 0, due_at: 1 }, limit, ...byDue, ...partial })
      .toArray();
    if (first.length === 0) return [];
    const skip = Math.floor(Math.random() * Math.max(0, first.length - maxDeletions + 1));
    const projection = { job_count: 1, account_id: 1 } as const;
    const found = await deletions
      .find(due, { projection, sort: { due_at: 1 }, skip, limit: maxDeletions, ...byDue, ...partial })
      .toArray();
    if (found.length > 0) return found;
    // Other replicas have leased this page. Look for the next one.
  }
  return [];
}

function isDue({ fromMs, nowMs }: LeaseQuery) {
  return {
    state: { $in: ['waiting', 'accepted', 'published', 'cancelled'] satisfies DeletionState[] },
    due_at: { $gte: new Date(fromMs), $lte: new Date(nowMs) },
  };
}

function notOf(accounts: readonly string[]) {
  return accounts.length === 0 ? {} : { account_id: { $nin: [...accounts] } };
}

type OutboxState = 'accepted' | 'published';
const inState = (state: OutboxState | 'cancelled') => ({ state, due_at: { $gte: new Date(0) } });

/** Shorter than the time limit of the metrics. */
const maxTimeMS = 1_500;

/** Reads only index keys, except some documents while a deletion is open that was accepted long ago. */
async function measure(
  state: OutboxState,
  maxDeletions: number,
  deletions: Collections['deletions'],
): Promise<Outbox> {
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
  const { depth, oldest } = measured ?? { depth: 0 };
  const oldestAtMs = oldest?.getTime();
  if (oldestAtMs === undefined || oldestAtMs > Date.now() - oldMs) return { depth, oldestAtMs };
  return { depth, oldestAtMs: (await endOfDelays(state, deletions)) ?? oldestAtMs };
}

/** An open deletion that was accepted longer ago is late, or had a delay. */
const oldMs = 60_000;
/** A document may have 10,000 ids. */
const maxSampled = 1_000;

/** Returns when the first delay ended, if every old deletion of a sample had a delay. The index does not have that time. */
async function endOfDelays(
  state: OutboxState,
  deletions: Collections['deletions'],
): Promise<number | undefined> {
  const old = { ...inState(state), accepted_at: { $lt: new Date(Date.now() - oldMs) } };
  const hasDelay = { $gt: ['$removal_at', null] };
  const [sample] = await deletions
    .aggregate<{ without: number; first: Date | null }>(
      [
        { $match: old },
        { $limit: maxSampled },
        {
          $group: {
            _id: null,
            without: { $sum: { $cond: [hasDelay, 0, 1] } },
            first: { $min: '$removal_at' },
          },
        },
      ],
      { ...byDue, maxTimeMS },
    )
    .toArray();
  return sample?.without === 0 ? sample.first?.getTime() : undefined;
}
