import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoIndexes } from '@jobs-delete/deleter-service/store/mongo/collections';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import {
  accept,
  acme,
  attempt,
  importJobs,
  other,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { createIndexes, reportIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import { describeWith } from '../servers/describe-with.ts';
import { startMongo } from '../servers/start-mongo.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';
import { refusalOf } from './refusal-of.ts';

describeWith('mongodb', 'opening the store in MongoDB', (serverUrl) => {
  let url: string;
  let admin: Mongo;

  beforeEach(async () => {
    url = databaseUrl(serverUrl, uniqueName('startup'));
    admin = await openMongo(url);
  });
  afterEach(async () => {
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });

  describe('its indexes', () => {
    const all = [
      'jobs.account_job',
      'deletions.account_claims',
      'deletions.account_idempotency_key',
      'deletions.state_due',
      'deletions.account_accepted',
      'deletions.completed',
    ];

    test('are named in the error if missing, with the command that creates them', async () => {
      const refusal = await refusalOf(connectMongoStore(url));
      expect(refusal).toBe(`The database lacks indexes: ${all.join(', ')}. Run: jobs-delete indexes create`);
    });

    test('are created once, and creating them again changes nothing', async () => {
      const models = mongoIndexes(admin, defaultJobsMapping);
      await createIndexes(models);
      await Promise.all([createIndexes(models), createIndexes(models)]);
      const report = await reportIndexes(models);
      expect(report.map(({ collection, index, state }) => `${collection}.${index} ${state}`)).toEqual(
        all.map((name) => `${name} present`),
      );
      await (await connectMongoStore(url)).close();
    });

    test('are refused if the index of claims is not unique', async () => {
      await createIndexes(mongoIndexes(admin, defaultJobsMapping));
      const deletions = databaseOf(admin).collection('deletions');
      await deletions.dropIndex('account_claims');
      await deletions.createIndex({ account_id: 1, claims: 1 }, { name: 'account_claims' }, undefined);
      expect(await refusalOf(connectMongoStore(url))).toMatch(/lacks indexes: deletions\.account_claims\./);
    });

    test('may have other names', async () => {
      await createIndexes(mongoIndexes(admin, defaultJobsMapping));
      const deletions = databaseOf(admin).collection('deletions');
      await deletions.dropIndex('account_claims');
      await deletions.createIndex({ account_id: 1, claims: 1 }, { name: 'another', unique: true }, undefined);
      const store = await connectMongoStore(url);
      await importJobs(store, acme, ['job1']);
      await accept(store, ['job1']);
      expect(await attempt(store, ['job1'])).toMatchObject({ kind: 'jobs-not-found' });
      await store.close();
    });
  });

  describe('jobs whose _id a later posting could reuse', () => {
    test.each([
      ['a string', 'job-1'],
      ['a number', 7],
      ['a document', { id: 'job-1' }],
      ['a date', new Date(0)],
    ])('are refused: %s as _id', async (_, id) => {
      await createIndexes(mongoIndexes(admin, defaultJobsMapping));
      const jobs = databaseOf(admin).collection<{ _id: unknown; id?: string }>('jobs');
      await jobs.insertMany([
        { _id: new mongo.ObjectId() },
        { _id: id, id: 'x' },
        { _id: new mongo.ObjectId(), id: 'y' },
      ]);
      const refusal = await refusalOf(connectMongoStore(url));
      expect(refusal).toMatch(
        /'jobs' has an _id that is no ObjectId.*keep the id in 'id' and let MongoDB choose _id/,
      );
    });

    test('cause an internal fault if they are inserted later', async () => {
      await createIndexes(mongoIndexes(admin, defaultJobsMapping));
      const store = await connectMongoStore(url);
      const jobs = databaseOf(admin).collection<{ _id: string; account_id: string; id: string }>('jobs');
      await jobs.insertOne({ _id: 'job1', account_id: acme, id: 'job1' });
      await expect(attempt(store, ['job1'])).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
      await store.close();
    });
  });

  describe("a company's own collection", () => {
    const mapping = {
      collection: 'vacancies',
      idField: 'reference',
      accountField: 'company',
      titleField: 'title',
    };

    test('is used unchanged, with its own field names', async () => {
      await createIndexes(mongoIndexes(admin, mapping));
      const vacancies = databaseOf(admin).collection('vacancies');
      await vacancies.insertMany([
        { company: acme, reference: 'job1', title: 'Welder', skills: ['mig', 'tig'] },
        { company: acme, reference: 'job2', title: 'Nurse' },
        { company: other, reference: 'job1', title: 'Cook' },
      ]);
      const store = await connectMongoStore(url, mapping);
      expect(await store.findJob(acme, 'job1')).toMatchObject({
        id: 'job1',
        accountId: acme,
        posting: { title: 'Welder', skills: ['mig', 'tig'] },
        deletionId: undefined,
      });
      expect([...(await store.describeJobs(acme, ['job1', 'job2']))]).toMatchObject([
        ['job1', { title: 'Welder' }],
        ['job2', { title: 'Nurse' }],
      ]);
      const deletion = await accept(store, ['job1']);
      expect(await attempt(store, ['job1', 'job3'])).toMatchObject({
        kind: 'jobs-not-found',
        positions: [0, 1],
      });
      await removeAndRecord(store, partsOf(deletion), 5);
      expect(
        await vacancies.find({}, { projection: { _id: 0, company: 1, reference: 1 } }).toArray(),
      ).toEqual([
        { company: acme, reference: 'job2' },
        { company: other, reference: 'job1' },
      ]);
      await importJobs(store, acme, ['job1']);
      expect(await store.countJobs(acme)).toBe(2);
      await store.close();
    });

    test('is recorded in each deletion, with the version of each job', async () => {
      const versioned = { ...mapping, versionField: 'revision' };
      await createIndexes(mongoIndexes(admin, versioned));
      await databaseOf(admin)
        .collection('vacancies')
        .insertMany([
          { revision: 3, company: acme, reference: 'job1' },
          { company: acme, reference: 'job2' },
        ]);
      const store = await connectMongoStore(url, versioned);
      const { id } = await accept(store, ['job2', 'job1']);
      const [record] = await databaseOf(admin).collection('deletions').find({}).toArray();
      expect(record).toMatchObject({
        _id: id,
        jobs_collection: 'vacancies',
        versions: { field: 'revision', values: [null, 3] },
      });
      await store.close();
    });

    test('is named in the error about its missing index', async () => {
      expect(await refusalOf(connectMongoStore(url, mapping))).toContain('vacancies.account_job');
    });

    test.each([
      [{ ...mapping, idField: '_id' }, /'_id'/],
      [{ ...mapping, idField: 'reference.number' }, /'reference\.number'/],
      [{ ...mapping, accountField: '$company' }, /'\$company'/],
      [{ ...mapping, accountField: 'reference' }, /are both 'reference'/],
      [{ ...mapping, versionField: 'company' }, /JOBS_VERSION_FIELD is 'company'/],
      [{ ...mapping, versionField: 'meta.revision' }, /'meta\.revision'/],
      [{ ...mapping, titleField: 'reference.text' }, /JOBS_TITLE_FIELD is 'reference\.text'/],
      [{ ...mapping, titleField: 'text..en' }, /JOBS_TITLE_FIELD is 'text\.\.en'/],
    ])('is refused with the mapping %j', async (unusable, reason) => {
      expect(await refusalOf(connectMongoStore(url, unusable))).toMatch(reason);
    });
  });

  describe('its connection', () => {
    test('writes with majority and journal and reads from the primary, despite other options in the URL', async () => {
      const weak = `${url}&w=1&journal=false&retryWrites=false&readPreference=secondaryPreferred`;
      const connection = await openMongo(weak);
      const { writeConcern, retryWrites, readPreference } = connection.getClient().options;
      expect(writeConcern).toMatchObject({ w: 'majority', journal: true });
      expect(retryWrites).toBe(true);
      expect(readPreference.mode).toBe('primary');
      await connection.close();
    });

    test('takes its limits from the URL', async () => {
      const connection = await openMongo(`${url}&maxPoolSize=3&serverSelectionTimeoutMS=1234`);
      expect(connection.getClient().options).toMatchObject({
        maxPoolSize: 3,
        serverSelectionTimeoutMS: 1_234,
        connectTimeoutMS: 3_000,
      });
      await connection.close();
    });

    test('fails within seconds without a server, and the error hides the password', async () => {
      const nowhere = 'mongodb://user:secret@127.0.0.1:1/jobs?serverSelectionTimeoutMS=500';
      const refusal = await refusalOf(openMongo(nowhere));
      expect(refusal).toMatch(/^Cannot open the database mongodb:\/\/127\.0\.0\.1:1: /);
      expect(refusal).not.toContain('secret');
    });

    test('is refused with a clear error for an invalid URL', async () => {
      expect(await refusalOf(openMongo('mongodb://user:pa@ss@host'))).toBe(
        'Cannot open the database: its URL is not valid',
      );
    });
  });
});

describeWith('own mongodb', 'a MongoDB server without a replica set', () => {
  test('is refused, and the error says how to fix it', async () => {
    const servers = await startMongo({ replicaSet: false });
    try {
      const refusal = await refusalOf(openMongo(`${servers.url}jobs`));
      expect(refusal).toMatch(
        /it is a stand-alone MongoDB server; make it a replica set, which may have one member$/,
      );
    } finally {
      await servers.stop();
    }
  });
});
