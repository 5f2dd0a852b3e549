import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoIndexes } from '@jobs-delete/deleter-service/store/mongo/collections';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { LockDocument } from '@jobs-delete/deleter-service/store/mongo/insert-lock';
import { accept, acme, attempt, importJobs } from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('mongodb', 'large deletions accepted side by side', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('large'));
  let admin: Mongo;
  let replicas: Store[];

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoIndexes(admin, defaultJobsMapping));
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
  const replica = (number: number): Store => {
    const store = replicas[number % replicas.length];
    if (store === undefined) throw new Error('the list of replicas is empty');
    return store;
  };
  const importInOrder = async (account: string, count: number) => {
    for (let from = 0; from < count; from += 1_000)
      await importJobs(replica(0), account, idsOf(account, from, 1_000));
  };
  /** Locks the account for another process, for some time from now. */
  const lock = async (account: string, ms: number) => {
    const locks = databaseOf(admin).collection<LockDocument>('insert_locks');
    const until = new Date(Date.now() + ms);
    await locks.updateOne({ _id: account }, { $set: { holder: 'other', until } }, { upsert: true });
    return until.getTime();
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
    const deletions = await Promise.all(
      Array.from({ length: 4 }, async (_, request) => {
        const ids = idsOf(account, position(request) * 10_000, 10_000);
        return accept(replica(request), ids, { accountId: account, deadlineMs: Date.now() + 60_000 });
      }),
    );
    expect(new Set(deletions.map(({ id }) => id)).size).toBe(4);
    expect((await keysWalked()) - before).toBeLessThan(50 * jobs);
  });

  // Account ids that are neighbours in the index, without older claims between them.
  test('the server visits few index keys when neighbouring accounts insert side by side', async () => {
    const accounts = ['beside1', 'beside2', 'beside3'];
    for (const account of accounts) await importInOrder(account, 10_000);
    const before = await keysWalked();
    const deletions = await Promise.all(
      accounts.map((accountId, number) =>
        accept(replica(number), idsOf(accountId, 0, 10_000), { accountId, deadlineMs: Date.now() + 60_000 }),
      ),
    );
    expect(deletions).toHaveLength(3);
    expect((await keysWalked()) - before).toBeLessThan(50 * 30_000);
  });

  test('a replica that dies with the lock of an account delays its large requests by one lease at most', async () => {
    await importInOrder(acme, 1_000);
    const longUntilMs = await lock(acme, 120_000);
    await accept(replica(0), idsOf(acme, 0, 10));
    expect(Date.now()).toBeLessThan(longUntilMs);
    const untilMs = await lock(acme, 500);
    await accept(replica(0), idsOf(acme, 10, 500));
    expect(Date.now()).toBeGreaterThanOrEqual(untilMs);
  });

  test('the lock of one account does not delay another one', async () => {
    await importInOrder('free', 1_000);
    const untilMs = await lock('locked', 120_000);
    await accept(replica(0), idsOf('free', 0, 500), { accountId: 'free' });
    expect(Date.now()).toBeLessThan(untilMs);
  });

  test('a request that does not get the lock before its deadline is busy and writes nothing', async () => {
    await importInOrder('patient', 1_000);
    await lock('patient', 60_000);
    const ids = idsOf('patient', 0, 500);
    const request = { accountId: 'patient', deadlineMs: Date.now() + 2_000 };
    await expect(accept(replica(0), ids, request)).rejects.toMatchObject({ code: 'busy' });
    await lock('patient', -1);
    const dryRun = await attempt(replica(0), ids, { accountId: 'patient', dryRun: true });
    expect(dryRun).toEqual({ kind: 'would-be-accepted' });
  });
});

interface ServerStatus {
  readonly wiredTiger: { readonly cursor: Readonly<Record<string, number>> };
}
