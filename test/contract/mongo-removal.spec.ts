import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { defaultJobsMapping, type JobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import {
  collectionsOf,
  mongoIndexes,
  type Collections,
} from '@jobs-delete/deleter-service/store/mongo/collections';
import { openMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('own mongodb', 'removing jobs in MongoDB', () => {
  let servers: MongoServers;
  let connection: Mongo;
  let collections: Collections;
  let store: Store;

  beforeAll(async () => {
    servers = await startMongo();
  });
  afterAll(() => servers.stop());
  beforeEach(async () => {
    connection = await openMongo(databaseUrl(servers.url, uniqueName('removal')));
    ({ store, collections } = await openWith(defaultJobsMapping));
    await importJobs(store, acme, jobIds(5));
  });
  afterEach(async () => {
    await failPoint('off');
    await databaseOf(connection).dropDatabase();
    await connection.close();
  });

  const openWith = async (mapping: JobsMapping) => {
    await createIndexes(mongoIndexes(connection, mapping));
    return {
      store: await openMongoStore(connection, mapping),
      collections: collectionsOf(connection, mapping),
    };
  };
  const command = async (commandOfAdmin: Readonly<Record<string, unknown>>) =>
    servers.command(await servers.primary(), commandOfAdmin);
  const failPoint = (mode: unknown, data: Readonly<Record<string, unknown>> = {}) =>
    command({ configureFailPoint: 'failCommand', mode, data });
  const stateOf = async (id: string) => (await store.findDeletion(id, acme))?.state;

  test('an attempt fails when a job is still there after the delete, and the next one removes it', async () => {
    const deletion = await accept(store, jobIds(3));
    const hidden = await collections.jobs.findOneAndDelete({ id: 'job0001' });
    if (hidden === null) throw new Error('the job was expected');
    const namespace = `${databaseOf(connection).databaseName}.jobs`;
    const { count } = await failPoint(
      { times: 1 },
      { failCommands: ['find'], namespace, blockConnection: true, blockTimeMS: 1_000 },
    );
    const removal = removeAndRecord(store, partsOf(deletion), 100);
    const refusal = expect(removal).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/is still there after its removal$/),
    });
    // The find waits now, so the delete has run without the hidden job.
    await command({ waitForFailPoint: 'failCommand', timesEntered: Number(count) + 1, maxTimeMS: 60_000 });
    await collections.jobs.insertOne(hidden);
    await refusal;
    expect(await stateOf(deletion.id)).toBe('accepted');
    expect(await removeAndRecord(store, partsOf(deletion), 200)).toMatchObject({ refused: [], removed: 1 });
    expect(await stateOf(deletion.id)).toBe('completed');
    expect(await store.findJob(acme, 'job0001')).toBeUndefined();
  });

  test('when the delete removes every claimed job, no find follows', async () => {
    const deletion = await accept(store, jobIds(3));
    const database = databaseOf(connection);
    await database.command({ profile: 2 });
    await removeAndRecord(store, partsOf(deletion), 100);
    await database.command({ profile: 0 });
    const notes = await database
      .collection('system.profile')
      .find({ ns: /\.(jobs|deletions)$/ })
      .toArray();
    expect(notes.map(({ op, ns }) => `${String(op)} ${String(ns).split('.')[1] ?? ''}`)).toEqual([
      'query deletions',
      'remove jobs',
      'update deletions',
    ]);
  });

  // A deposed primary may still answer reads, without the latest writes.
  test('a deletion is called unknown only after a majority has confirmed it', async () => {
    const deletion = await accept(store, jobIds(3));
    const database = databaseOf(connection);
    await database.command({ profile: 2 });
    const parts = [...partsOf({ ...deletion, id: 'unknown' }), ...partsOf(deletion)];
    const { refused } = await removeAndRecord(store, parts, 100);
    await database.command({ profile: 0 });
    expect(refused).toHaveLength(1);
    const reads = await database
      .collection('system.profile')
      .find({ op: 'query', ns: /\.deletions$/, 'command.readConcern.level': 'linearizable' })
      .toArray();
    expect(reads.map(({ command: { filter } }) => filter as object)).toEqual([
      { account_id: { $in: [acme] }, _id: { $in: ['unknown'] } },
    ]);
  });

  test('a postponement that finds no open deletion is confirmed', async () => {
    const [open, done] = [await accept(store, ['job0001']), await accept(store, ['job0002'])];
    await removeAndRecord(store, partsOf(done), 100);
    const database = databaseOf(connection);
    const confirmations = async (...postponed: readonly string[]) => {
      const keys = postponed.map((deletionId) => ({ deletionId, accountId: acme }));
      await database.dropCollection('system.profile');
      await database.command({ profile: 2 });
      await store.postpone(keys, 900);
      await database.command({ profile: 0 });
      const confirmed = { op: 'query', 'command.readConcern.level': 'linearizable' };
      return database.collection('system.profile').countDocuments(confirmed);
    };
    expect(await confirmations(open.id)).toBe(0);
    expect(await confirmations(open.id, open.id)).toBe(0);
    expect(await confirmations(open.id, done.id)).toBe(1);
    expect(await confirmations('unknown')).toBe(1);
  });

  test('a status that is not final is confirmed too, and a final one takes one read', async () => {
    const deletion = await accept(store, jobIds(3));
    const database = databaseOf(connection);
    const levels = async (read: () => Promise<unknown>) => {
      await database.dropCollection('system.profile');
      await database.command({ profile: 2 });
      await read();
      await database.command({ profile: 0 });
      const notes = await database.collection('system.profile').find({ op: 'query' }).toArray();
      return notes.map(({ command: { readConcern } }) => (readConcern as { level?: string }).level);
    };
    const confirmed = ['majority', 'linearizable'];
    expect(await levels(() => store.findReceipt('unknown', acme))).toEqual(confirmed);
    expect(await levels(() => store.findReceipt(deletion.id, acme))).toEqual(confirmed);
    await removeAndRecord(store, partsOf(deletion), 100);
    expect(await levels(() => store.findReceipt(deletion.id, acme))).toEqual(['majority']);
    expect(await levels(() => store.findDeletion(deletion.id, acme))).toEqual(['majority']);
  });

  test('an attempt ends before the worker’s Kafka session, also on a hanging server', async () => {
    const deletion = await accept(store, jobIds(3));
    const namespace = `${databaseOf(connection).databaseName}.jobs`;
    const waiting = async () => {
      const { inprog } = await command({ currentOp: 1, ns: namespace, op: 'remove' });
      return (inprog as unknown[]).length;
    };
    await command({ fsync: 1, lock: true });
    try {
      const startedAt = performance.now();
      const refusal = expect(removeAndRecord(store, partsOf(deletion), 100)).rejects.toMatchObject({
        code: 'unknown-outcome',
      });
      await until(async () => (await waiting()) === 1);
      await refusal;
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      await until(async () => (await waiting()) === 0);
    } finally {
      await command({ fsyncUnlock: 1 });
    }
    await removeAndRecord(store, partsOf(deletion), 200);
    expect(await stateOf(deletion.id)).toBe('completed');
  });

  describe('jobs of another collection', () => {
    const mapping = { ...defaultJobsMapping, collection: 'vacancies' };

    test('are refused with the names of both collections, and stay', async () => {
      const deletion = await accept(store, ['job0001']);
      const elsewhere = await openWith(mapping);
      expect(await removeAndRecord(elsewhere.store, partsOf(deletion), 100)).toEqual({
        refused: [
          {
            index: 0,
            reason:
              "its jobs are in the collection 'jobs', but JOBS_COLLECTION of this worker is 'vacancies'",
          },
        ],
        parts: [],
        removed: 0,
      });
      expect(await stateOf(deletion.id)).toBe('accepted');
      expect(await store.countJobs(acme)).toBe(5);
      await removeAndRecord(store, partsOf(deletion), 200);
      expect(await stateOf(deletion.id)).toBe('completed');
    });
  });
});
