import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import {
  collectionsOf,
  mongoIndexes,
  type Collections,
} from '@jobs-delete/deleter-service/store/mongo/collections';
import { openMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { RemovalPart, Store } from '@jobs-delete/deleter-service/store/store';
import {
  accept,
  acme,
  attempt,
  jobIds,
  leaseDue,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

const mapping = { ...defaultJobsMapping, versionField: 'revision' };

describeWith('mongodb', 'jobs that change between acceptance and removal', (serverUrl) => {
  let connection: Mongo;
  let collections: Collections;
  let store: Store;

  beforeEach(async () => {
    connection = await openMongo(databaseUrl(serverUrl, uniqueName('versions')));
    await createIndexes(mongoIndexes(connection, mapping));
    collections = collectionsOf(connection, mapping);
    store = await openMongoStore(connection, mapping);
    const postings = jobIds(5).map((id, index) => ({ id, account_id: acme, revision: index }));
    await databaseOf(connection).collection('jobs').insertMany(postings);
  });
  afterEach(async () => {
    await databaseOf(connection).dropDatabase();
    await connection.close();
  });

  /** Replaces a job in place and keeps its `_id`. */
  const change = (id: string, revision: unknown) =>
    collections.jobs.updateOne({ account_id: acme, id }, { $set: { revision, title: 'new' } });
  const left = async () =>
    (await collections.jobs.find({ account_id: acme }).sort({ id: 1 }).toArray()).map(({ id }) => id);
  const claimOf = (deletion: Deletion, index: number) => deletion.claims[index] ?? '';
  const only = (parts: readonly RemovalPart[]): RemovalPart => {
    const [part] = parts;
    if (part === undefined) throw new Error('a part was expected');
    return part;
  };

  test.each([1, 3])('a changed job stays, and the receipt says so, in parts of %i', async (size) => {
    const deletion = await accept(store, jobIds(3));
    await change('job0001', 7);
    const parts = partsOf(deletion, size);
    expect(await removeAndRecord(store, parts, 100)).toMatchObject({
      refused: [],
      removed: 2,
      kept: [claimOf(deletion, 1)],
    });
    expect(await left()).toEqual(['job0001', 'job0003', 'job0004']);
    expect(await store.findReceipt(deletion.id, acme)).toMatchObject({ state: 'completed', keptCount: 1 });
    expect(await store.findDeletion(deletion.id, acme)).toMatchObject({ claims: deletion.claims });
    const counts = await store.countDeletions({ accountId: acme, fromMs: 0, toMs: 10_000 });
    expect(counts).toEqual([{ state: 'completed', deletions: 1, jobs: 3, keptJobs: 1 }]);
  });

  test.each<[string, unknown, unknown]>([
    ['a date', new Date(5), new Date(6)],
    ['a text', 'a', 'b'],
    ['none', undefined, 1],
    ['a document', { major: 1 }, { major: 2 }],
  ])('its version may be %s', async (_, before, after) => {
    await collections.jobs.updateMany(
      {},
      before === undefined ? { $unset: { revision: 1 } } : { $set: { revision: before } },
    );
    const deletion = await accept(store, jobIds(2));
    await change('job0001', after);
    const kept = [claimOf(deletion, 1)];
    expect(await removeAndRecord(store, partsOf(deletion), 100)).toMatchObject({
      refused: [],
      removed: 1,
      kept,
    });
    expect(await left()).not.toContain('job0000');
  });

  test('another attempt keeps the job again and counts it once', async () => {
    const deletion = await accept(store, jobIds(3));
    await change('job0001', 7);
    const parts = partsOf(deletion, 2);
    await removeAndRecord(store, [only(parts)], 100);
    const kept = [claimOf(deletion, 1)];
    expect(await removeAndRecord(store, [only(parts)], 101)).toMatchObject({ refused: [], removed: 0, kept });
    // The relay publishes an unfinished deletion again after its lease.
    const [due] = await leaseDue(store, 99_999, 100_000);
    if (due === undefined) throw new Error('it should be due');
    expect(await removeAndRecord(store, partsOf(due), 102)).toMatchObject({ refused: [], removed: 1, kept });
    expect(await removeAndRecord(store, parts, 103)).toMatchObject({ refused: [], removed: 0, kept });
    expect(await store.findReceipt(deletion.id, acme)).toMatchObject({ state: 'completed', keptCount: 1 });
    expect(await left()).toEqual(['job0001', 'job0003', 'job0004']);
  });

  test('10,000 changed jobs are kept and counted once by two workers, with few updates', async () => {
    const ids = jobIds(10_000, 1_000);
    const database = databaseOf(connection);
    const postings = ids.map((id) => ({ id, account_id: acme, revision: 1 }));
    await database.collection('jobs').insertMany(postings);
    const deletion = await accept(store, ids);
    await collections.jobs.updateMany({ account_id: acme, id: { $in: ids } }, { $set: { revision: 2 } });
    const workers = [store, await openMongoStore(connection, mapping)];
    await database.command({ profile: 2, filter: { op: 'update', ns: /\.deletions$/ } });
    await Promise.all(workers.map((worker) => removeAndRecord(worker, partsOf(deletion, 1_000), 100)));
    await database.command({ profile: 0, filter: 'unset' });
    const updates = await database.collection('system.profile').countDocuments({ op: 'update' });
    expect(updates).toBeLessThan(10);
    const receipt = await store.findReceipt(deletion.id, acme);
    expect(receipt).toMatchObject({ state: 'completed', keptCount: 10_000 });
    expect((await store.findDeletion(deletion.id, acme))?.claims).toEqual(deletion.claims);
    expect(await collections.jobs.countDocuments({ id: { $in: ids } })).toBe(10_000);
    await accept(store, ids);
  });

  test('a kept job can be deleted again, and events of its first deletion do not remove it', async () => {
    const first = await accept(store, ['job0001']);
    await change('job0001', 7);
    expect(await attempt(store, ['job0001'])).toMatchObject({ kind: 'jobs-not-found' });
    await removeAndRecord(store, partsOf(first), 100);
    const second = await accept(store, ['job0001']);
    // Back to the version in the record of the first deletion.
    await change('job0001', 1);
    await removeAndRecord(store, partsOf(first), 101);
    expect(await left()).toContain('job0001');
    await change('job0001', 7);
    expect(await removeAndRecord(store, partsOf(second), 102)).toEqual({
      refused: [],
      parts: [expect.objectContaining({ deletionId: second.id })],
      removed: 1,
    });
    expect(await left()).not.toContain('job0001');
  });

  test('without a recorded version field a changed job is removed, as documented', async () => {
    const unversioned = await openMongoStore(connection, defaultJobsMapping);
    const deletion = await accept(unversioned, ['job0001']);
    await change('job0001', 7);
    expect(await removeAndRecord(store, partsOf(deletion), 100)).toEqual({
      refused: [],
      parts: [expect.objectContaining({ deletionId: deletion.id })],
      removed: 1,
    });
    expect(await left()).not.toContain('job0001');
  });

  test('a worker without JOBS_VERSION_FIELD reads the field from the record', async () => {
    const deletion = await accept(store, ['job0001', 'job0002']);
    await change('job0001', 7);
    const worker = await openMongoStore(connection, defaultJobsMapping);
    expect(await removeAndRecord(worker, partsOf(deletion), 100)).toMatchObject({ removed: 1 });
    expect(await left()).toContain('job0001');
  });
});
