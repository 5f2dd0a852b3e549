import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@jobs-delete/runtime/fault';
import { isDuplicateKey, mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo } from 'mongoose';

/** One for each account that has sent a large request. */
export interface LockDocument {
  /** The account. */
  _id: string;
  holder: string;
  /** Server time. */
  until: Date;
}

/**
 * Runs a large insert of an account while no other process runs one of the same account.
 * @throws Fault `busy` if the lock is not free within `remainingMs`
 */
export type LockInsert = <Result>(
  accountId: string,
  insert: () => Promise<Result>,
  remainingMs: () => number,
) => Promise<Result>;

/** A holder renews its lock while it inserts; a hung one loses it after this time. */
const leaseMs = 3_000;
const renewMs = 1_000;
const minPollMs = 2;
const maxPollMs = 12;

/**
 * Creates the lock that MongoDB before 7.0 needs: there two concurrent large inserts of one account can take minutes
 * (docs/decisions/large-inserts.md). The lock is advisory: losing it costs time, never correctness.
 *
 * A holder that crashes, or can't reach the server to release, leaves its lock for `leaseMs` at most. Nobody ends it
 * earlier: a crash looks like a slow insert, and the server may still run the insert of a dead process. Meanwhile only
 * large requests of that account wait.
 */
export function createInsertLock(locks: mongo.Collection<LockDocument>): LockInsert {
  const take = async (_id: string, holder: string, maxTimeMS: number): Promise<boolean> => {
    const isFree = { $or: [{ $lte: ['$until', '$$NOW'] }, { $eq: ['$holder', holder] }] };
    const update = [
      { $set: { isFree } },
      {
        $set: {
          holder: { $cond: ['$isFree', holder, '$holder'] },
          until: { $cond: ['$isFree', inLeaseMs, '$until'] },
        },
      },
      { $unset: 'isFree' },
    ];
    const options = { upsert: true, returnDocument: 'after', ...unsynced, maxTimeMS } as const;
    try {
      return (await locks.findOneAndUpdate({ _id }, update, options))?.holder === holder;
    } catch (error) {
      // Another process inserted the document first.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return async (accountId, insert, remainingMs) => {
    // A new holder each time: a release that arrives late does not end the next lock of this process.
    const holder = randomUUID();
    const mine = { _id: accountId, holder };
    const setUntil = (until: unknown) =>
      mongoRead(() => locks.updateOne(mine, [{ $set: { until } }], unsynced), renewMs).catch(() => undefined);
    for (let isDenied = false; ;) {
      const leftMs = remainingMs();
      try {
        // Classified like a read: a failure to take the lock changes no deletion.
        if (await mongoRead(() => take(accountId, holder, leftMs), leftMs)) break;
        isDenied = true;
      } catch (error) {
        // After a denial, the last attempt may end by its time limit.
        if (!isDenied || remainingMs() > maxPollMs) throw error;
      }
      if (remainingMs() <= maxPollMs)
        throw new Fault('busy', 'another large request of the account is being written');
      await delay(minPollMs + Math.random() * (maxPollMs - minPollMs));
    }
    const renewal = setInterval(() => void setUntil(inLeaseMs), renewMs);
    try {
      return await insert();
    } finally {
      clearInterval(renewal);
      void setUntil(new Date(0));
    }
  };
}

const inLeaseMs = { $add: ['$$NOW', leaseMs] };
/** The lock need not survive a failover. */
const unsynced = { writeConcern: { w: 1 } } as const;
