import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoIndexes } from '@jobs-delete/deleter-service/store/mongo/collections';
import { openMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import { accept, acme, attempt, importJobs, jobIds } from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('own mongodb', 'a refusal of MongoDB', () => {
  let servers: MongoServers;
  let connection: Mongo;
  let store: Store;

  beforeAll(async () => {
    servers = await startMongo();
    connection = await openMongo(databaseUrl(servers.url, uniqueName('refusals')));
    await createIndexes(mongoIndexes(connection, defaultJobsMapping));
    store = await openMongoStore(connection, defaultJobsMapping);
    await importJobs(store, acme, jobIds(2));
  });
  afterAll(async () => {
    await connection.close();
    await servers.stop();
  });

  test('holds at one moment: a key that was used between its queries is a used key', async () => {
    const key = { idempotencyKey: 'key' };
    const command = async (commandOfAdmin: Readonly<Record<string, unknown>>) =>
      servers.command(await servers.primary(), commandOfAdmin);
    const namespace = `${databaseOf(connection).databaseName}.deletions`;
    const data = { failCommands: ['find'], namespace, blockConnection: true, blockTimeMS: 1_000 };
    // The searches by id and by key pass. The search for the claims waits.
    const { count } = await command({ configureFailPoint: 'failCommand', mode: { skip: 2 }, data });
    const refused = attempt(store, ['missing', 'job0001'], key);
    await command({ waitForFailPoint: 'failCommand', timesEntered: Number(count) + 1, maxTimeMS: 60_000 });
    await accept(store, ['job0001'], key);
    await command({ configureFailPoint: 'failCommand', mode: 'off' });
    expect(await refused).toEqual({ kind: 'key-reused' });
  });

  // A deposed primary still reports the key of a job that is free by now.
  test('is given only after a majority has confirmed it, also for a duplicate key', async () => {
    await accept(store, ['job0000']);
    const database = databaseOf(connection);
    await database.command({ profile: 2 });
    expect(await attempt(store, ['job0000'], { deletionId: 'another' })).toMatchObject({
      kind: 'jobs-not-found',
    });
    await database.command({ profile: 0 });
    const reads = await database
      .collection('system.profile')
      .find({ op: 'query', ns: /\.deletions$/, 'command.readConcern.level': 'linearizable' })
      .toArray();
    expect(reads.map(({ command: { filter } }) => filter as object)).toEqual([
      { account_id: { $in: [acme] }, _id: { $in: ['another'] } },
    ]);
  });
});
