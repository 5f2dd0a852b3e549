import { afterAll, beforeAll, jest } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { collectionsOf, mongoModels, type Collections } from '@jobs-delete/deleter-service/store/mongo/collections';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import { storeContract } from '@jobs-delete/deleter-service/store/store.contract';
import { createIndexes } from '@jobs-delete/runtime/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { databaseUrl, uniqueName } from '../servers/unique-database.ts';

jest.setTimeout(60_000);

describeWith('mongodb', 'the contract of the store', (serverUrl) => {
  const url = databaseUrl(serverUrl, uniqueName('contract'));
  let admin: Mongo;
  let collections: Collections;

  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoModels(admin, defaultJobsMapping));
    collections = collectionsOf(admin, defaultJobsMapping);
  });
  afterAll(async () => {
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });

  storeContract('MongoDB', async () => {
    await collections.jobs.deleteMany({});
    await collections.deletions.deleteMany({});
    let store = await connectMongoStore(url);
    return {
      store,
      reopen: async () => {
        await store.close();
        return (store = await connectMongoStore(url));
      },
      close: () => store.close(),
    };
  });
});
