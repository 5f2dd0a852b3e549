import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import {
  collectionsOf,
  mongoIndexes,
  type DeletionDocument,
} from '@jobs-delete/deleter-service/store/mongo/collections';
import { receiptStoreOf } from '@jobs-delete/deleter-service/store/mongo/receipts';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import {
  accept,
  acme,
  importJobs,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo } from 'mongoose';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

const hourMs = 3_600_000;
const deletions = 5;
const idsEach = 10_000;
/** Upper limit per deletion: a page of 1,000 deletions stays under 20 MiB. */
const mostBytesEach = (20 * 1024 * 1024) / 1_000;

describeWith('mongodb', 'reading deletions of 10,000 jobs from MongoDB', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('receipts'));
  let admin: Mongo;
  let store: Store;
  const keys: { deletionId: string; accountId: string }[] = [];

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoIndexes(admin, defaultJobsMapping));
    store = await connectMongoStore(url);
    for (let deletion = 0; deletion < deletions; deletion++) {
      const ids = Array.from({ length: idsEach }, (_, index) => `job-${String(deletion)}-${String(index)}`);
      await importJobs(store, acme, ids);
      const { id } = await accept(store, ids);
      keys.push({ deletionId: id, accountId: acme });
    }
  });
  afterAll(async () => {
    await databaseOf(admin).command({ profile: 0 });
    await databaseOf(admin).dropDatabase();
    await store.close();
    await admin.close();
  });

  /** Returns how many bytes the server sends to answer the reads. */
  const bytesSentFor = async (read: () => Promise<unknown>): Promise<number> => {
    const database = databaseOf(admin);
    await database.command({ profile: 2 });
    await read();
    await database.command({ profile: 0 });
    const notes = await database
      .collection<{ readonly responseLength: number }>('system.profile')
      .find({ ns: /\.deletions$/, op: { $in: ['query', 'getmore'] } })
      .toArray();
    await database.collection('system.profile').drop();
    expect(notes.length).toBeGreaterThan(0);
    return notes.reduce((sum, { responseLength }) => sum + responseLength, 0);
  };
  const firstId = () => keys[0]?.deletionId ?? '';

  test('a page of receipts transfers no job ids', async () => {
    const page = { accountId: acme, state: undefined, pageSize: 1_000, after: undefined };
    let listed = 0;
    const bytes = await bytesSentFor(async () => {
      const read = await store.listDeletions(page);
      listed = read.deletions.filter(({ jobCount }) => jobCount === idsEach).length;
    });
    expect(listed).toBe(deletions);
    expect(bytes / deletions).toBeLessThan(mostBytesEach);
  });

  test('a receipt transfers no job ids', async () => {
    const receipt = await bytesSentFor(() => store.findReceipt(firstId(), acme));
    expect(receipt).toBeLessThan(mostBytesEach);
    const withJobs = await bytesSentFor(() => store.findDeletion(firstId(), acme));
    expect(withJobs).toBeGreaterThan(mostBytesEach);
  });

  test('receipts that another worker deletes meanwhile count as found', async () => {
    const collections = collectionsOf(admin, defaultJobsMapping);
    await importJobs(store, acme, ['expired']);
    await removeAndRecord(store, partsOf(await accept(store, ['expired'])), 1_000);
    const rival = Object.create(collections.deletions, {
      deleteMany: {
        value: async (filter: mongo.Filter<DeletionDocument>) => {
          await collections.deletions.deleteMany(filter);
          return collections.deletions.deleteMany(filter);
        },
      },
    }) as typeof collections.deletions;
    const rivalled = receiptStoreOf({ ...collections, deletions: rival });
    expect(await rivalled.expireReceipts(-hourMs, 500)).toBe(1);
    expect(await receiptStoreOf(collections).expireReceipts(-hourMs, 500)).toBe(0);
  });

  test('receipts expire by the clock of the server, not of the worker', async () => {
    const collections = collectionsOf(admin, defaultJobsMapping);
    await importJobs(store, acme, ['old1', 'recent1']);
    const [old, recent] = [await accept(store, ['old1']), await accept(store, ['recent1'])];
    // By the clock of this worker, both are completed in 1970.
    await removeAndRecord(store, [...partsOf(old), ...partsOf(recent)], 1_000);
    const completed_at = new Date(Date.now() - 2 * hourMs);
    await collections.deletions.updateOne({ _id: old.id }, { $set: { completed_at } });
    expect(await store.expireReceipts(hourMs, 500)).toBe(1);
    expect(await store.findReceipt(old.id, acme)).toBeUndefined();
    expect(await store.findReceipt(recent.id, acme)).toBeDefined();
  });

  test('polling states reads nothing else', async () => {
    expect(await bytesSentFor(() => store.findStates(keys))).toBeLessThan(200 * deletions + 500);
  });
});
