import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoModels } from '@jobs-delete/deleter-service/store/mongo/collections';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import { accept, acceptRequest, acme, importJobs } from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-database.ts';

describeWith('mongodb', 'large deletions accepted side by side', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('large'));
  let admin: Mongo;
  let replicas: Store[];

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoModels(admin, defaultJobsMapping));
    replicas = await Promise.all([connectMongoStore(url), connectMongoStore(url), connectMongoStore(url)]);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });

  /** Returns how many index keys the server has visited since it started. */
  const keysWalked = async () => {
    const { wiredTiger } = (await databaseOf(admin).admin().serverStatus()) as ServerStatus;
    const { cursor } = wiredTiger;
    return cursor['cursor next calls that skip less than 100 entries'] ?? NaN;
  };
  const idsOf = (account: string, from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `${account}${String(from + index).padStart(6, '0')}`);
  const importInOrder = async (account: string, count: number) => {
    const [first] = replicas;
    if (first === undefined) throw new Error('the list of replicas is empty');
    for (let from = 0; from < count; from += 1_000)
      await importJobs(first, account, idsOf(account, from, 1_000));
  };

  // The server looks up each key before it inserts it. Beside another large insert, each lookup visits the uncommitted
  // keys of that insert: jobs x jobs keys.
  test.each([
    ['in the order of the jobs', (request: number) => request],
    ['in reverse', (request: number) => 3 - request],
  ])('the server visits few index keys per job, %s', async (order, position) => {
    const account = order.startsWith('in the') ? 'forward' : 'backward';
    const jobs = 4 * 10_000;
    await importInOrder(account, jobs);
    const before = await keysWalked();
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, async (_, request) => {
        const ids = idsOf(account, position(request) * 10_000, 10_000);
        const store = replicas[request % replicas.length];
        return store?.acceptDeletions([
          acceptRequest(ids, { accountId: account, deadlineMs: Date.now() + 60_000 }),
        ]);
      }),
    );
    expect(outcomes.flat().map((outcome) => outcome?.kind)).toEqual(Array(4).fill('accepted'));
    expect((await keysWalked()) - before).toBeLessThan(50 * jobs);
  });

  test('a replica that dies during its turn delays the others by one lease at most', async () => {
    await importInOrder(acme, 1_000);
    const turns = databaseOf(admin).collection<{ _id: string; holder: string; until: Date }>('write_turns');
    const holdUntil = async (ms: number) => {
      const until = new Date(Date.now() + ms);
      await turns.updateOne({ _id: 'large-deletion' }, { $set: { holder: 'dead', until } });
      return until.getTime();
    };
    const [first] = replicas;
    if (first === undefined) throw new Error('the list of replicas is empty');
    const longUntilMs = await holdUntil(120_000);
    await accept(first, idsOf(acme, 0, 10));
    expect(Date.now()).toBeLessThan(longUntilMs);
    const untilMs = await holdUntil(500);
    await accept(first, idsOf(acme, 10, 500));
    expect(Date.now()).toBeGreaterThanOrEqual(untilMs);
  });

  test('a request that gets no turn before its deadline is refused and writes nothing', async () => {
    await importInOrder('patient', 1_000);
    const turns = databaseOf(admin).collection<{ _id: string; holder: string; until: Date }>('write_turns');
    const until = new Date(Date.now() + 60_000);
    await turns.updateOne({ _id: 'large-deletion' }, { $set: { holder: 'slow', until } });
    const [first] = replicas;
    const ids = idsOf('patient', 0, 500);
    const request = { accountId: 'patient', deadlineMs: Date.now() + 100 };
    await expect(first?.acceptDeletions([acceptRequest(ids, request)])).rejects.toMatchObject({
      code: 'unavailable',
    });
    await turns.updateOne({ _id: 'large-deletion' }, { $set: { until: new Date(0) } });
    expect(await first?.findMissingJobs('patient', ids)).toMatchObject({ positions: [] });
  });
});

interface ServerStatus {
  readonly wiredTiger: { readonly cursor: Readonly<Record<string, number>> };
}
