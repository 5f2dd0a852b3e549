import { afterAll, beforeAll } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import {
  collectionsOf,
  mongoIndexes,
  type Collections,
} from '@jobs-delete/deleter-service/store/mongo/collections';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

/** Creates a database with the indexes of the store for the tests of a suite. `collections` exists in its tests and hooks. */
export function useStoreDatabase(serverUrl: string, name: string) {
  const url = databaseUrl(serverUrl, uniqueName(name));
  let admin: Mongo;
  let collections: Collections;
  beforeAll(async () => {
    admin = await openMongo(url);
    await createIndexes(mongoIndexes(admin, defaultJobsMapping));
    collections = collectionsOf(admin, defaultJobsMapping);
  });
  afterAll(async () => {
    await databaseOf(admin).dropDatabase();
    await admin.close();
  });
  return {
    url,
    get collections() {
      return collections;
    },
  };
}
