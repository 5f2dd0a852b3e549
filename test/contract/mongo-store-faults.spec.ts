import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoIndexes } from '@jobs-delete/deleter-service/store/mongo/collections';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { AcceptRequest, Store } from '@jobs-delete/deleter-service/store/store';
import { acceptAll, acceptOne } from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { openMongoLine, type MongoLine } from '../servers/line.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('mongodb', 'accepting over a failing connection to MongoDB', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('store_faults'));
  let admin: Mongo;
  let line: MongoLine;
  let store: Store;

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoIndexes(admin, defaultJobsMapping));
  });
  afterAll(async () => {
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });
  beforeEach(async () => {
    for (const { collection } of mongoIndexes(admin, defaultJobsMapping)) await collection.deleteMany({});
    line = await openMongoLine(url);
    store = await connectMongoStore(line.url);
    await store.importJobs('acme', [{ id: 'JOB1', posting: {} }], 1);
  });
  afterEach(async () => {
    await line.close();
    await store.close();
  });

  const accept = (deletionId: string) =>
    acceptOne(store, request(deletionId)).then(({ kind }) => kind, codeOf);

  test('nothing is accepted when the connection breaks before the insert', async () => {
    line.cutAt('insert');
    expect(await accept('one')).toBe('unknown-outcome');
    line.mend();
    expect(await store.findDeletion('one', 'acme')).toBeUndefined();
    expect(await accept('two')).toBe('accepted');
  });

  test('the key reveals the outcome when the connection breaks before the reply to the insert', async () => {
    line.cutBeforeAnswerTo('insert');
    expect(await accept('one')).toBe('unknown-outcome');
    line.mend();
    expect(await accept('two')).toBe('replayed');
    expect(await store.findDeletion('two', 'acme')).toBeUndefined();
  });

  test('a request that is answered meanwhile is not inserted', async () => {
    const answers: unknown[] = [];
    await store.acceptDeletions(
      [request('one')],
      (_, outcome) => answers.push(outcome),
      () => false,
    );
    expect(answers).toMatchObject([{ code: 'busy' }]);
    expect(await store.findDeletion('one', 'acme')).toBeUndefined();
  });

  test('an insert error other than a duplicate key is a fault', async () => {
    const setValidator = (validator: object) =>
      databaseOf(admin).command({ collMod: 'deletions', validator });
    await store.importJobs('acme', [{ id: 'JOB2', posting: {} }], 1);
    const invalid = { ...request('invalid', 'other'), jobIds: ['JOB2'] };
    await setValidator({ _id: { $ne: 'invalid' } });
    try {
      const alone = acceptAll(store, [request('valid'), invalid]);
      await expect(alone).rejects.toMatchObject({ name: 'Fault' });
      const besideDuplicate = acceptAll(store, [request('duplicate'), invalid]);
      await expect(besideDuplicate).rejects.toMatchObject({ name: 'Fault' });
    } finally {
      await setValidator({});
    }
    expect(await store.findDeletion('invalid', 'acme')).toBeUndefined();
  });

  test('an unreachable server is a fault, not a refusal', async () => {
    line.cut();
    expect(await accept('one')).toBe('unavailable');
    line.mend();
    expect(await accept('one')).toBe('accepted');
  });
});

function request(deletionId: string, idempotencyKey = 'key'): AcceptRequest {
  const origin = {
    requestId: '',
    language: 'fr',
    userAgent: '',
    clientTechnology: '',
    webOrigin: '',
    tokenId: '',
  };
  const times = { acceptedAtMs: 1, dueAtMs: 1, deadlineMs: Date.now() + 4_000 };
  const job = { accountId: 'acme', jobIds: ['JOB1'] };
  return { deletionId, ...job, dryRun: false, idempotencyKey, origin, ...times };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
