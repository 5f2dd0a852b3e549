import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listJobs } from '@jobs-delete/deleter-service/store/mongo/jobs';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  keyOf,
  origin,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { describeWith } from '../servers/describe-with.ts';
import { useStoreDatabase } from './use-store-database.ts';

describeWith('mongodb', 'a page of own jobs while deletions change', (serverUrl) => {
  const database = useStoreDatabase(serverUrl, 'list_jobs');
  let store: Store;

  beforeAll(async () => {
    store = await connectMongoStore(database.url);
  });
  beforeEach(async () => {
    for (const each of [database.collections.jobs, database.collections.deletions]) await each.deleteMany({});
    await importJobs(store, acme, jobIds(3));
  });
  afterAll(async () => {
    await store.close();
  });

  /** Lists the jobs. Before each query, the next change is made. */
  const listAmong = async (changes: readonly (() => Promise<unknown>)[]) => {
    let made = 0;
    const interrupted = <Target extends object>(collection: Target): Target =>
      new Proxy(collection, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...values: unknown[]) => { toArray(): unknown };
          return (...values: unknown[]) => ({
            toArray: async () => {
              await changes[made++]?.();
              return method.apply(target, values).toArray();
            },
          });
        },
      });
    const { jobs, deletions } = database.collections;
    const page = await listJobs(
      { accountId: acme, after: '', limit: 10 },
      { ...database.collections, jobs: interrupted(jobs), deletions: interrupted(deletions) },
    );
    return { jobIds: page.jobIds, queries: made };
  };
  const nothing = () => Promise.resolve();
  const remove = (deletion: Deletion) => removeAndRecord(store, partsOf(deletion), 100);
  const claimed = ['job0001'];

  test('without open deletions, each of two batches is two queries, and no job is read', async () => {
    await remove(await accept(store, claimed));
    expect(await listAmong([])).toEqual({ jobIds: ['job0000', 'job0002'], queries: 4 });
  });

  test('a job is never listed after its deletion was accepted, whenever that is completed', async () => {
    for (let query = 0; query < 6; query++) {
      await importJobs(store, acme, jobIds(3));
      const deletion = await accept(store, claimed);
      const changes = [...Array.from({ length: query }, () => nothing), () => remove(deletion)];
      expect({ query, ...(await listAmong(changes)) }).toMatchObject({ jobIds: ['job0000', 'job0002'] });
      await remove(deletion);
    }
  });

  test('a job that stays is never hidden, although a deletion names it, and is posted again at any time', async () => {
    const deletion = await accept(store, claimed);
    await importJobs(store, acme, claimed);
    for (let query = 0; query < 6; query++) {
      const changes = [...Array.from({ length: query }, () => nothing), () => remove(deletion)];
      expect({ query, ...(await listAmong(changes)) }).toMatchObject({ jobIds: jobIds(3) });
    }
  });

  test('a deletion that is accepted meanwhile hides at most its own jobs', async () => {
    for (let query = 0; query < 6; query++) {
      const changes = [...Array.from({ length: query }, () => nothing), () => accept(store, claimed)];
      const { jobIds: listed } = await listAmong(changes);
      expect(listed.filter((id) => id !== 'job0001')).toEqual(['job0000', 'job0002']);
      await database.collections.deletions.deleteMany({});
    }
  });

  test('a job whose deletion is cancelled meanwhile is listed or not, and listed from then on', async () => {
    for (let query = 0; query < 6; query++) {
      const soon = { removalAtMs: Date.now() + 60_000, dueAtMs: Date.now() + 60_000 };
      const deletion = await accept(store, claimed, soon);
      const cancel = () => store.cancelDeletion(keyOf(deletion), Date.now(), origin);
      const changes = [...Array.from({ length: query }, () => nothing), cancel];
      const { jobIds: listed } = await listAmong(changes);
      expect(listed.filter((id) => id !== 'job0001')).toEqual(['job0000', 'job0002']);
      await cancel();
      expect((await listAmong([])).jobIds).toEqual(jobIds(3));
    }
  });
});
