import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMongoPool } from '@jobs-delete/runtime/mongo-pool';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/open-mongo';
import { waitUntil } from '../harness/wait-until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-database.ts';

describeWith('mongodb', 'the measure of the connections to MongoDB', (serverUrl) => {
  const pool = createMongoPool();
  let connection: Mongo;

  beforeAll(async () => {
    const url = databaseUrl(serverUrl, uniqueName('pool'));
    const option = `${url.includes('?') ? '&' : '?'}waitQueueTimeoutMS=100`;
    connection = await openMongo(url + option, { pool, maxPoolSize: 3 });
    await databaseOf(connection).collection('slow').insertOne({});
  });
  afterAll(async () => {
    await databaseOf(connection).dropDatabase();
    await connection.close();
  });

  const slowFind = () => databaseOf(connection).collection('slow').findOne({ $where: 'sleep(1000) || true' });

  test('counts those in use, those open, and the requests that got none', async () => {
    expect(pool.inUse).toBe(0);
    const finds = [slowFind(), slowFind(), slowFind()];
    await waitUntil(() => pool.inUse === 3);
    expect(pool.open).toBe(3);
    await expect(slowFind()).rejects.toThrow();
    expect(pool.failures).toBe(1);
    await Promise.all(finds);
    await waitUntil(() => pool.inUse === 0);
    expect(pool.open).toBe(3);
  });
});
