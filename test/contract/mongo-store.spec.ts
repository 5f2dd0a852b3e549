import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import { processClock } from '@jobs-delete/runtime/time/clock';
import { storeContract } from '@jobs-delete/deleter-service/store/contract/store.contract';
import {
  accept,
  acceptRequest,
  acme,
  answersTo,
  attempt,
  importJobs,
  jobIds,
  leaseDue,
  other,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import type { Types } from 'mongoose';
import { describeWith } from '../servers/describe-with.ts';
import { useStoreDatabase } from './use-store-database.ts';

describeWith('mongodb', 'the contract of the store', (serverUrl) => {
  /** Kept for the next test: opening takes longer than most tests do. */
  let kept: Store | undefined;
  // Before the database is dropped.
  afterAll(() => kept?.close());
  const database = useStoreDatabase(serverUrl, 'contract');
  storeContract('MongoDB', async () => {
    await database.collections.jobs.deleteMany({});
    await database.collections.deletions.deleteMany({});
    await database.collections.deletionUsage.deleteMany({});
    const { deletedCount } = await database.collections.safetyRules.deleteMany({});
    // A store keeps what it has reserved under a limit.
    if (deletedCount > 0) {
      await kept?.close();
      kept = undefined;
    }
    const store = (kept ??= await connectMongoStore(database.url));
    return {
      store,
      reopen: async () => {
        await kept?.close();
        return (kept = await connectMongoStore(database.url));
      },
      close: () => Promise.resolve(),
    };
  });

  test('a job that can’t be claimed fails its own request and no other in the batch', async () => {
    await database.collections.jobs.deleteMany({});
    const store = await connectMongoStore(database.url);
    await importJobs(store, acme, jobIds(2));
    // A program of the company may write such a job. Our type has ObjectIds only.
    const natural = { _id: 'natural' as unknown as Types.ObjectId, account_id: acme, id: 'odd1' };
    await database.collections.jobs.insertOne(natural);
    const answers = await answersTo(store, [
      acceptRequest(['job0000', 'odd1']),
      acceptRequest(['job0000']),
      acceptRequest(['job0001', 'missing']),
      acceptRequest(['odd1'], { dryRun: true }),
    ]);
    const unclaimable = { name: 'Fault', code: 'internal' };
    expect(answers).toMatchObject([
      unclaimable,
      { kind: 'accepted' },
      { kind: 'jobs-not-found' },
      unclaimable,
    ]);
    await store.close();
  });

  describe('a caller', () => {
    const openWith = async (uptime: () => number) => {
      await database.collections.jobs.deleteMany({});
      await database.collections.deletions.deleteMany({});
      const store = await connectMongoStore(database.url, undefined, { clock: { ...processClock, uptime } });
      await importJobs(store, acme, jobIds(30));
      return store;
    };
    const one = { maxDeletions: 1 };

    test('leases other deletions after a lost race', async () => {
      const store = await openWith(() => 0);
      for (const id of jobIds(30)) await accept(store, [id], { dueAtMs: 100 });
      const leases = () => Promise.all(jobIds(15).map(() => leaseDue(store, 100, 1_000, one)));
      for (const leased of [...(await leases()), ...(await leases())]) expect(leased).toHaveLength(1);
      expect(await leaseDue(store, 100, 1_000)).toEqual([]);
      await store.close();
    });

    test('leases nothing after its time limit', async () => {
      let now = 0;
      const late = await openWith(() => (now += 3_000));
      const { id } = await accept(late, ['job0001'], { dueAtMs: 100 });
      expect(await leaseDue(late, 100, 1_000, one)).toEqual([]);
      await late.close();
      const inTime = await connectMongoStore(database.url);
      expect(await leaseDue(inTime, 100, 1_000, one)).toMatchObject([{ id }]);
      await inTime.close();
    });
  });

  describe('an audit', () => {
    let store: Store;
    afterEach(() => store.close());

    test('counts no job of another account, even if a claim points to one', async () => {
      await database.collections.jobs.deleteMany({});
      await database.collections.deletions.deleteMany({});
      store = await connectMongoStore(database.url);
      await importJobs(store, acme, ['ours0001']);
      await importJobs(store, other, ['theirs01']);
      const deletion = await accept(store, ['ours0001']);
      await removeAndRecord(store, partsOf(deletion), 100);
      const theirs = await database.collections.jobs.findOne({ id: 'theirs01' });
      if (theirs === null) throw new Error('no job');
      await database.collections.deletions.updateOne(
        { _id: deletion.id },
        { $set: { claims: [theirs._id] } },
      );
      const jobsLeft = async () => {
        const left: number[] = [];
        for await (const page of store.completedDeletions(0, Date.UTC(3000, 0, 1)))
          left.push(...page.map((one) => one.jobsLeft));
        return left;
      };
      expect(await jobsLeft()).toEqual([0]);
      await database.collections.jobs.updateOne({ _id: theirs._id }, { $set: { account_id: acme } });
      expect(await jobsLeft()).toEqual([1]);
    });
  });

  test('50 clients at five replicas compete for the same jobs, and each job is accepted once', async () => {
    await database.collections.jobs.deleteMany({});
    const replicas = await Promise.all(Array.from({ length: 5 }, () => connectMongoStore(database.url)));
    await importJobs(replicaOf(replicas, 0), acme, jobIds(40));
    const client = async (number: number) => {
      const store = replicaOf(replicas, number);
      const deletions: Deletion[] = [];
      // All clients use the same order, two jobs at a time, so they compete for each pair.
      for (let step = 0; step < 20; step++) {
        const outcome = await attempt(store, jobIds(2, step * 2));
        if (outcome.kind === 'accepted') deletions.push(outcome.deletion);
        else expect(outcome).toEqual({ kind: 'jobs-not-found', positions: [0, 1] });
      }
      return deletions;
    };
    const accepted = (await Promise.all(Array.from({ length: 50 }, (_, number) => client(number)))).flat();
    expect(accepted.flatMap((deletion) => deletion.jobIds).sort()).toEqual(jobIds(40));
    await Promise.all(replicas.map((replica) => replica.close()));
  });
});

function replicaOf(replicas: readonly Store[], client: number): Store {
  const store = replicas[client % replicas.length];
  if (store === undefined) throw new Error('the list of replicas is empty');
  return store;
}
