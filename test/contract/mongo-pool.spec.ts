import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { poolGauge } from '@jobs-delete/runtime/telemetry/metrics';
import { Registry } from 'prom-client';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('mongodb', 'the metrics of the MongoDB connection pool', (serverUrl) => {
  const pool = poolGauge(new Registry(), 'test');
  let admin: Mongo;
  let connection: Mongo;

  beforeAll(async () => {
    const url = databaseUrl(serverUrl, uniqueName('pool'));
    admin = await openMongo(url);
    await databaseOf(admin).collection('slow').insertOne({});
    const options = `${url.includes('?') ? '&' : '?'}minPoolSize=3`;
    connection = await openMongo(url + options, { pool, maxPoolSize: 3 });
  });
  afterAll(async () => {
    await connection.close();
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });

  test('count used and open connections, and requests that got none', async () => {
    await until(() => pool.open === 3 && pool.inUse === 0);
    const session = connection.getClient().startSession();
    const slow = databaseOf(connection).collection('slow');
    const endless = { $where: 'sleep(600000) || true' };
    const finds = [1, 2, 3].map(() => slow.findOne(endless, { session }).catch(() => undefined));
    await until(() => pool.inUse === 3);
    await expect(slow.findOne({})).rejects.toThrow();
    expect(pool.failures).toBe(1);
    await databaseOf(admin).command({ killSessions: [session.id] });
    await Promise.all(finds);
    await until(() => pool.inUse === 0);
    expect(pool.open).toBe(3);
  });
});
