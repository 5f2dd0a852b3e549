import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoIndexes } from '@jobs-delete/deleter-service/store/mongo/collections';
import { connectMongoStore, openMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import {
  accept,
  acceptAll,
  acceptRequest,
  acme,
  attempt,
  importJobs,
  jobIds,
  leaseDue,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

const aKey = { deletionId: 'unknown', accountId: acme };

describeWith('mongodb', 'the queries of the store in MongoDB', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('queries'));
  let admin: Mongo;
  let store: Store;

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoIndexes(admin, defaultJobsMapping));
    store = await connectMongoStore(url);
    await importJobs(store, acme, jobIds(400));
    await importJobs(store, other, jobIds(400));
    for (const [index, id] of jobIds(100).entries()) {
      const deletion = await accept(store, [id], { idempotencyKey: id, acceptedAtMs: index, dueAtMs: index });
      if (index >= 50) continue;
      await removeAndRecord(store, partsOf(deletion), index);
      const completed_at = new Date(index);
      await databaseOf(admin)
        .collection<{ _id: string }>('deletions')
        .updateOne({ _id: deletion.id }, { $set: { completed_at } });
    }
  });
  afterAll(async () => {
    await databaseOf(admin).command({ profile: 0 });
    await databaseOf(admin).dropDatabase();
    await store.close();
    await admin.close();
  });

  interface Command {
    readonly filter?: object;
    readonly q?: object;
    readonly query?: object;
    readonly pipeline?: readonly { readonly $match?: object }[];
  }
  interface Note {
    readonly ns: string;
    readonly op: string;
    readonly planSummary?: string;
    readonly docsExamined?: number;
    readonly keysExamined?: number;
    readonly command?: Command;
  }

  /** Returns what the server's profiler records of the two collections during the operation. */
  const profileOf = async (operation: () => Promise<unknown>): Promise<Note[]> => {
    const database = databaseOf(admin);
    await database.command({ profile: 2 });
    await operation();
    await database.command({ profile: 0 });
    const notes = await database
      .collection<Note>('system.profile')
      .find({ ns: /\.(jobs|deletions)$/ })
      .toArray();
    await database.collection('system.profile').drop();
    return notes;
  };
  /** Returns the filters, each alternative by itself. */
  const filtersOf = ({ command = {} }: Note): object[] => {
    const filter = command.filter ?? command.q ?? command.query ?? command.pipeline?.[0]?.$match ?? {};
    return '$or' in filter ? (filter.$or as object[]) : [filter];
  };
  /** These ask all shards for deletions of any account. What they then change by id names its accounts. */
  const ofAllAccounts = ['leasing', 'measuring', 'expiring', 'auditing'];
  const readAll = async (pages: AsyncIterable<unknown>) => {
    for await (const page of pages) expect(page).not.toEqual([]);
  };
  const request = (ids: readonly string[], idempotencyKey: string) =>
    acceptAll(store, [acceptRequest(ids, { idempotencyKey })]);
  const page = { accountId: acme, state: undefined, pageSize: 10, after: { acceptedAtMs: 60, id: 'x' } };
  const filtered = { ...page, tokenId: 'unknown', maxExamined: 20 };

  test.each<[string, number, () => Promise<unknown>]>([
    ['accepting', 2, () => request(['job0200', 'job0201'], 'new')],
    ['refusing', 3, () => request(['job0202', 'job0060'], 'newer')],
    ['replaying', 2, () => request(['job0060'], 'job0060')],
    ['a dry run', 4, () => attempt(store, ['job0061', 'job0062'], { dryRun: true })],
    ['leasing', 30, () => leaseDue(store, 70, 5_000, { maxDeletions: 10 })],
    // All deletions are old here: a sample is read for the ends of delays.
    ['measuring an old outbox', 60, () => store.measureOutbox()],
    ['cancelling', 1, () => store.cancelDeletion(aKey, 1, origin)],
    ['recording a publication', 0, () => store.markPublished([{ ...aKey, leasedUntilMs: 1 }], 1, 1)],
    ['postponing', 0, () => store.postpone([aKey], 1)],
    ['a lease of named deletions', 0, () => store.leaseOpen([aKey], 1)],
    ['finding a deletion', 0, () => store.findDeletion('unknown', acme)],
    ['finding a receipt', 0, () => store.findReceipt('unknown', acme)],
    ['finding states', 0, () => store.findStates([aKey])],
    ['a page of an account', 12, () => store.listDeletions(page)],
    ['the first filtered page', 20, () => store.listDeletions({ ...filtered, after: undefined })],
    [
      'the first page of a search',
      40,
      () => store.listDeletions({ ...filtered, jobId: 'unknown', after: undefined }),
    ],
    // The end of a later page is not found in the index alone.
    ['a later filtered page', 40, () => store.listDeletions(filtered)],
    ['counting', 11, () => store.countDeletions({ accountId: acme, fromMs: 10, toMs: 20 })],
    [
      'counting the deletions of a token',
      11,
      () => store.countDeletions({ accountId: acme, fromMs: 10, toMs: 20, tokenId: 'unknown' }),
    ],
    ['expiring receipts', 6, () => store.expireReceipts(60_000, 3)],
    ['auditing open deletions', 51, () => readAll(store.openDeletions(5_000))],
    // Each deletion is completed and has one missing job.
    ['auditing recently completed deletions', 5, () => readAll(store.completedDeletions(45, 49))],
    ['finding a job', 2, () => store.findJob(acme, 'job0070')],
    ['describing jobs', 2, () => store.describeJobs(acme, ['job0070', 'job0071', 'unknown'])],
    // 51 deletions are open, with the one of 'accepting'. Each of two batches reads them twice, and no jobs.
    ['listing jobs', 204, () => store.listJobs({ accountId: acme, after: 'job0390', limit: 10 })],
    ['importing', 1, () => store.importJobs(acme, [{ id: 'job0300', posting: {} }], 1)],
    [
      'removing',
      8,
      async () => removeAndRecord(store, partsOf(await accept(store, ['job0250', 'job0251'])), 9_000),
    ],
  ])(
    '%s uses an index, reads only what it needs, and names its accounts',
    async (name, mostExamined, operation) => {
      const notes = await profileOf(operation);
      const found = notes.filter(({ op }) => op !== 'insert');
      expect(found.length).toBeGreaterThan(0);
      for (const { planSummary } of found) expect(planSummary).toMatch(/^(IXSCAN|IDHACK)/);
      const sum = (of: (note: Note) => number | undefined) =>
        found.reduce((total, note) => total + (of(note) ?? 0), 0);
      expect(sum((note) => note.docsExamined)).toBeLessThanOrEqual(mostExamined);
      const isOfAll = ofAllAccounts.some((start) => name.startsWith(start));
      for (const filter of found.flatMap(filtersOf))
        if (!isOfAll || '_id' in filter) expect(filter).toHaveProperty('account_id');
      // Allows a few more keys: each range of an index ends at the first key after it.
      expect(sum((note) => note.keysExamined)).toBeLessThanOrEqual(2 * mostExamined + 10);
    },
  );

  test('at most four calls look for the reasons of refusals at the same time', async () => {
    const connection = await openMongo(`${url}&monitorCommands=true`);
    const observed = await openMongoStore(connection);
    const running = new Set<number>();
    let most = 0;
    connection.getClient().on('commandStarted', ({ command, requestId }) => {
      if (command.find === 'deletions') most = Math.max(most, running.add(requestId).size);
    });
    connection.getClient().on('commandSucceeded', ({ requestId }) => void running.delete(requestId));
    const dryRuns = jobIds(40, 50).map((id) => attempt(observed, [id], { dryRun: true }));
    await Promise.all(dryRuns);
    await observed.close();
    expect(most).toBe(4);
  });
});
