import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createMongoRateLimiter,
  mongoRateLimitsModels,
  rateLimitsCollection,
} from '@jobs-delete/gateway/limits/mongo-rate-limiter';
import { openAccountLimits } from '@jobs-delete/gateway/limits/open-account-limits';
import type { RateLimit, RateLimiter } from '@jobs-delete/gateway/limits/rate-limiter';
import { rateLimiterContract } from '@jobs-delete/gateway/limits/contract/rate-limiter.contract';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { openMongoLine, type MongoLine } from '../servers/line.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('mongodb', 'rate limits in MongoDB', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('rate_limits'));
  const limit: RateLimit = { name: 'requests', quota: 10, windowSeconds: 3_600 };
  // A list: the library catches exceptions of the callback, so an expectation there would never fail.
  const fallbacks: unknown[] = [];
  const onFallback = (error: unknown) => void fallbacks.push(error);
  /** Counts in MongoDB even while the machine is busy. */
  const patient = { onFallback, timeoutMs: 60_000 };
  let admin: Mongo;
  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoRateLimitsModels(admin));
  });
  afterAll(async () => {
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });

  beforeEach(() => void fallbacks.splice(0));
  const expectNoFallback = () => expect(fallbacks).toEqual([]);

  describe('the contract of rate limiters', () => {
    afterEach(expectNoFallback);
    rateLimiterContract((another) => createMongoRateLimiter(admin, another, patient));
  });

  test('a gateway does not start without the indexes', async () => {
    const config = { requests: 1, jobs: 0, windowSeconds: 60, timeoutMs: 250 };
    const empty = databaseUrl(serverUrl, uniqueName('no_rate_limits'));
    const open = openAccountLimits({ kind: 'mongodb', url: empty }, config, onFallback);
    await expect(open).rejects.toThrow(
      'The database lacks indexes: rate_limits.key, rate_limits.expire. Run: jobs-delete indexes create',
    );
  });

  describe('shared by several gateways', () => {
    let connections: Mongo[];
    let commands: string[];
    beforeEach(async () => {
      await databaseOf(admin).collection(rateLimitsCollection).deleteMany({});
      commands = [];
      connections = await Promise.all([openMongo(url), openMongo(`${url}&monitorCommands=true`)]);
      connections[1]?.getClient().on('commandStarted', ({ commandName }) => void commands.push(commandName));
    });
    afterEach(async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      expectNoFallback();
    });

    const limiterOf = (index: 0 | 1): RateLimiter => {
      const connection = connections[index];
      if (connection === undefined) throw new Error('no connection');
      return createMongoRateLimiter(connection, limit, patient);
    };

    test('a new window replaces an expired one that MongoDB still stores', async () => {
      const stored = databaseOf(admin).collection(rateLimitsCollection);
      const old = { key: 'requests:live:acme', points: 10, expire: new Date(Date.now() - 1) };
      await stored.insertOne({ ...old });
      expect(await limiterOf(0).consume('live:acme', 1)).toMatchObject({ allowed: true, remaining: 9 });
      expect(await limiterOf(1).consume('live:acme', 1)).toMatchObject({ allowed: true, remaining: 8 });
      expect(await stored.findOne({ key: old.key })).toMatchObject({ points: 2 });
    });

    test('share one limit', async () => {
      const [first, second] = [limiterOf(0), limiterOf(1)];
      const calls = Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? first : second).consume('live:acme', 1),
      );
      const quotas = await Promise.all(calls);
      expect(quotas.filter(({ allowed }) => allowed)).toHaveLength(10);
    });

    test('an exhausted quota causes no further queries', async () => {
      const [first, second] = [limiterOf(0), limiterOf(1)];
      expect(await first.consume('live:acme', 10)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await second.consume('live:acme', 1)).toMatchObject({ allowed: false });
      const before = commands.length;
      for (let call = 0; call < 3; call++)
        expect(await second.consume('live:acme', 1)).toMatchObject({ allowed: false, remaining: 0 });
      expect(commands.slice(before)).toEqual([]);
    });

    test('concurrent calls with one key share an update', async () => {
      const limiter = limiterOf(1);
      // The first call starts the window. Otherwise an update may be retried.
      await limiter.consume('live:acme', 1);
      commands.length = 0;
      const quotas = await Promise.all([3, 2, 3, 2].map((points) => limiter.consume('live:acme', points)));
      expect(quotas.map((quota) => [quota.allowed, quota.remaining])).toEqual([
        [true, 6],
        [true, 4],
        [true, 1],
        [false, 0],
      ]);
      expect(commands).toEqual(['findAndModify', 'findAndModify']);
    });
  });

  describe('while MongoDB fails', () => {
    let line: MongoLine;
    let connection: Mongo;
    let limiter: RateLimiter;
    beforeEach(async () => {
      await databaseOf(admin).collection(rateLimitsCollection).deleteMany({});
      line = await openMongoLine(url);
      connection = await openMongo(line.url);
      await createMongoRateLimiter(connection, limit, patient).consume('live:acme', 8);
      limiter = createMongoRateLimiter(connection, limit, { onFallback, timeoutMs: 250 });
    });
    afterEach(async () => {
      // Closes the line first: a closing client waits for a reply, and a silent server sends none.
      await line.close();
      await connection.close();
    });

    test.each([
      ['is away', () => line.cut()],
      ['is slow', () => line.swallow()],
    ])(
      'because it %s, each gateway counts alone, and shares the counts again after it',
      async (_, fail) => {
        fail();
        const quotas = await Promise.all(Array.from({ length: 12 }, () => limiter.consume('live:acme', 1)));
        expect(quotas.filter(({ allowed }) => allowed)).toHaveLength(10);
        // Two updates were due, one for all calls during the first. Only the first one was sent to MongoDB.
        expect(fallbacks).toHaveLength(1);

        line.cut();
        line.mend();
        const stored = databaseOf(admin).collection(rateLimitsCollection);
        // The limiter queries MongoDB again after a pause.
        let account = 0;
        do {
          account += 1;
          await limiter.consume(`live:acme${String(account)}`, 1);
        } while ((await stored.countDocuments({ key: `requests:live:acme${String(account)}` })) === 0);
      },
      30_000,
    );
  });
});
