import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@jobs-delete/runtime/fault';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';

export interface TurnDocument {
  _id: string;
  holder: string;
  /** Server time. */
  until: Date;
}

export interface WriteTurns {
  /**
   * Runs a large write while no other process of this database runs one.
   * @throws Fault `unavailable` if it gets no turn within `remainingMs`
   */
  run<Result>(write: () => Promise<Result>, remainingMs: () => number): Promise<Result>;
}

const turnId = 'large-deletion';
/** A holder renews its turn while it writes; a hung one loses it after this time. */
const leaseMs = 3_000;
const renewMs = 1_000;
const minPollMs = 2;
const maxPollMs = 12;

/**
 * Allows one large insert of claims at a time over all processes: on MongoDB 6.0 two concurrent ones can take minutes
 * (docs/decisions/large-inserts.md). The turn is an advisory lock: losing it costs time, never correctness.
 */
export function createWriteTurns(turns: mongo.Collection<TurnDocument>): WriteTurns {
  const holder = randomUUID();

  const take = async (maxTimeMS: number): Promise<boolean> => {
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
      return (await turns.findOneAndUpdate({ _id: turnId }, update, options))?.holder === holder;
    } catch (error) {
      // Another process inserted the document first.
      if (error instanceof mongo.MongoServerError && error.code === duplicateKey) return false;
      throw error;
    }
  };
  let released: Promise<unknown> = Promise.resolve();
  const wait = async (remainingMs: () => number) => {
    // A release that arrives late must not end the next turn of this process.
    await released;
    for (;;) {
      const leftMs = remainingMs();
      // Classified like a read: a failure to take the turn changes no deletion.
      if (await mongoRead(() => take(leftMs), leftMs)) return;
      if (remainingMs() <= maxPollMs) throw new Fault('unavailable', 'no turn to write before the deadline');
      await delay(minPollMs + Math.random() * (maxPollMs - minPollMs));
    }
  };
  const mine = { _id: turnId, holder };
  const ignoreError = () => undefined;
  const renew = () => turns.updateOne(mine, [{ $set: { until: inLeaseMs } }], unsynced).catch(ignoreError);
  const release = () => turns.updateOne(mine, { $set: { until: new Date(0) } }, unsynced).catch(ignoreError);

  return {
    run: async (write, remainingMs) => {
      await wait(remainingMs);
      const renewal = setInterval(() => void renew(), renewMs);
      try {
        return await write();
      } finally {
        clearInterval(renewal);
        released = release();
      }
    },
  };
}

const inLeaseMs = { $add: ['$$NOW', leaseMs] };
/** The turn need not survive a failover. */
const unsynced = { writeConcern: { w: 1 } } as const;
const duplicateKey = 11_000;
