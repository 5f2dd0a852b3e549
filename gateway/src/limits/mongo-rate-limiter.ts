import { Fault } from '@jobs-delete/runtime/fault';
import { type Mongo, databaseOf, isDuplicateKey, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema, type mongo } from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible';
import {
  memoryOptions,
  type Quota,
  type RateLimit,
  type RateLimiter,
  type WindowCount,
  countPoints,
  quotaOf,
} from './rate-limiter.ts';

export interface MongoRateLimiterOptions {
  /** Called each time a period begins in which the gateway counts by itself. */
  readonly onFallback: (error: unknown) => void;
  /** An update that takes longer counts in memory instead. */
  readonly timeoutMs: number;
}

/** How long every request counts in memory after a failed update. */
const retryAfterMs = 1_000;

/**
 * Counts for all gateways of a database. While MongoDB is slow or away, each gateway counts by itself, from zero.
 *
 * A call costs one update. An exhausted key costs none until the end of its window. Each gateway sends one update at a
 * time for a key and combines the calls that arrive meanwhile, so a busy account causes no write conflicts.
 */
export function createMongoRateLimiter(
  connection: Mongo,
  limit: RateLimit,
  options: MongoRateLimiterOptions,
): RateLimiter {
  const collection = createGuardedCollection(connection, options);
  const memory = memoryOptions(limit);
  const limiter = new RateLimiterMongo({
    ...memory,
    storeClient: { collection: () => collection },
    // The start checks the indexes.
    disableIndexesCreation: true,
    inMemoryBlockOnConsumed: limit.quota,
    insuranceLimiter: new RateLimiterMemory(memory),
  });
  return { limit, consume: combineCalls(limit, (key, points) => countPoints(limiter.consume(key, points))) };
}

/** The method of a collection that the library calls, with a timeout and a pause after a failure. */
function createGuardedCollection(connection: Mongo, { onFallback, timeoutMs }: MongoRateLimiterOptions) {
  // Losing a count in a failover costs less than waiting for a majority of journals.
  const collection = databaseOf(connection).collection(rateLimitsCollection, {
    writeConcern: { w: 1, journal: false },
  });
  let pausedUntilMs = 0;
  return {
    findOneAndUpdate: async (
      filter: mongo.Filter<mongo.Document>,
      update: mongo.UpdateFilter<mongo.Document>,
      options: mongo.FindOneAndUpdateOptions,
    ) => {
      if (performance.now() < pausedUntilMs) throw new Fault('unavailable', 'MongoDB: slow or away');
      try {
        return await mongoWrite(() => collection.findOneAndUpdate(filter, update, options), timeoutMs);
      } catch (error) {
        // The library expects this error when another gateway has started the window.
        if (error instanceof Fault && isDuplicateKey(error.cause)) throw error.cause;
        pausedUntilMs = performance.now() + retryAfterMs;
        onFallback(error);
        throw error;
      }
    },
  };
}

interface PendingCall {
  readonly points: number;
  readonly resolve: (quota: Quota) => void;
}

/** Counts the calls of one key together while an update is in flight, and splits the result in their order. */
function combineCalls(
  limit: RateLimit,
  count: (key: string, points: number) => Promise<WindowCount>,
): RateLimiter['consume'] {
  /** The calls that arrived during an update, by key. A key without an update in flight has no entry. */
  const pending = new Map<string, PendingCall[]>();
  const run = async (key: string, first: PendingCall) => {
    for (let calls = [first]; calls.length > 0; calls = pending.get(key)?.splice(0) ?? []) {
      const points = calls.reduce((sum, call) => sum + call.points, 0);
      const { consumed, resetMs } = await count(key, points);
      let consumedSoFar = consumed - points;
      for (const call of calls) {
        consumedSoFar += call.points;
        call.resolve(quotaOf(limit, consumedSoFar, resetMs));
      }
    }
    pending.delete(key);
  };
  return (key, points) =>
    new Promise((resolve) => {
      const call = { points, resolve };
      const others = pending.get(key);
      if (others !== undefined) others.push(call);
      else {
        pending.set(key, []);
        void run(key, call);
      }
    });
}

export const rateLimitsCollection = 'rate_limits';

/** One document for each key and window, in the form of rate-limiter-flexible. */
interface RateLimitDocument {
  key: string;
  points: number;
  expire: Date;
}

export function mongoRateLimitsModels(connection: Mongo) {
  const rateLimits = new Schema<RateLimitDocument>(
    {
      key: { type: String, required: true },
      points: { type: Number, required: true },
      expire: { type: Date, required: true },
    },
    { autoIndex: false, autoCreate: false, versionKey: false, id: false, strict: 'throw' },
  );
  rateLimits.index({ key: 1 }, { unique: true, name: 'key' });
  rateLimits.index({ expire: 1 }, { expireAfterSeconds: 0, name: 'expire' });
  return [
    connection.model('RateLimit', rateLimits, rateLimitsCollection, { overwriteModels: true }),
  ] as const;
}
