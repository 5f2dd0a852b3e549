import { Fault } from '@jobs-delete/runtime/fault';
import { databaseOf, mongoWrite, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible';
import { counted, quotaOf, type Counted } from './counted.ts';
import { memoryOptions } from './memory-rate-limiter.ts';
import { rateLimitsCollection } from './mongo-rate-limits-schema.ts';
import type { Quota, RateLimit, RateLimiter } from './rate-limiter.ts';

/** A count that takes longer than this is done in memory. */
const patienceMs = 250;
/** So long MongoDB is left alone then: not every request is to find out anew that it is slow. */
const retryAfterMs = 1_000;

/**
 * For all gateways of a database together. While that is slow or away each counts by itself, from nothing, and so lets
 * as much through as it alone may; `onFallback` is told whenever that begins anew.
 *
 * A draw costs one update. A key that is exhausted costs none: that is remembered until the end of its window. Of one
 * key there is one update at a time, for all draws that have come until then, so that the gateway's busiest account
 * doesn't fight itself for its document.
 */
export function createMongoRateLimiter(
  connection: Mongo,
  limit: RateLimit,
  onFallback: (error: unknown) => void,
): RateLimiter {
  const collection = createGuarded(connection, onFallback);
  const options = memoryOptions(limit);
  const limiter = new RateLimiterMongo({
    ...options,
    storeClient: { collection: () => collection },
    // That there is an index is seen to beforehand.
    disableIndexesCreation: true,
    inMemoryBlockOnConsumed: limit.quota,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return { limit, draw: drawTogether(limit, (key, points) => counted(limiter.consume(key, points))) };
}

/** What the library uses of a collection, within limits of time. */
function createGuarded(connection: Mongo, onFallback: (error: unknown) => void) {
  // A count that a failover loses is not worth waiting for a majority of journals.
  const collection = databaseOf(connection).collection(rateLimitsCollection, {
    writeConcern: { w: 1, journal: false },
  });
  let awayUntilMs = 0;
  return {
    findOneAndUpdate: async (
      filter: mongo.Filter<mongo.Document>,
      update: mongo.UpdateFilter<mongo.Document>,
      options: mongo.FindOneAndUpdateOptions,
    ) => {
      if (performance.now() < awayUntilMs) throw new Fault('unavailable', 'MongoDB: slow or away');
      try {
        return await mongoWrite(() => collection.findOneAndUpdate(filter, update, options), patienceMs);
      } catch (error) {
        // By this the library learns that another has begun the window.
        if (error instanceof Fault && isDuplicate(error.cause)) throw error.cause;
        awayUntilMs = performance.now() + retryAfterMs;
        onFallback(error);
        throw error;
      }
    },
  };
}

function isDuplicate(error: unknown): error is mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && error.code === 11_000;
}

interface Draw {
  readonly points: number;
  readonly resolve: (quota: Quota) => void;
}

/** Shares what was counted for several draws out among them, in their order. */
function drawTogether(
  limit: RateLimit,
  count: (key: string, points: number) => Promise<Counted>,
): RateLimiter['draw'] {
  /** Of each key that is being counted, the draws that have come meanwhile. */
  const waiting = new Map<string, Draw[]>();
  const run = async (key: string, first: Draw) => {
    for (let draws = [first]; draws.length > 0; draws = waiting.get(key)?.splice(0) ?? []) {
      const points = draws.reduce((sum, draw) => sum + draw.points, 0);
      const { drawn, resetMs } = await count(key, points);
      let sofar = drawn - points;
      for (const draw of draws) {
        sofar += draw.points;
        draw.resolve(quotaOf(limit, sofar, resetMs));
      }
    }
    waiting.delete(key);
  };
  return (key, points) =>
    new Promise((resolve) => {
      const draw = { points, resolve };
      const others = waiting.get(key);
      if (others !== undefined) others.push(draw);
      else {
        waiting.set(key, []);
        void run(key, draw);
      }
    });
}
