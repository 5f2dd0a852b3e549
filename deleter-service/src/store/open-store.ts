import type { MongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { JobsMapping } from './jobs-mapping.ts';
import { openSqliteStore, openSqliteStoreInThread } from './sqlite-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions {
  readonly jobsMapping?: JobsMapping;
  /** Is told of the connections to MongoDB. */
  readonly pool?: MongoPool;
  /** Reads a database file as a whole and refuses a damaged one. */
  readonly checkIntegrity?: boolean;
  /** A database file has a thread of its own, so that who serves many never waits for the disk. */
  readonly inThread?: boolean;
}

/** @throws StartupError */
export async function openStore(database: DatabaseUrl, options: OpenStoreOptions = {}): Promise<Store> {
  const { checkIntegrity = false, inThread = false, jobsMapping, pool } = options;
  if (database.kind === 'sqlite') {
    const open = inThread ? openSqliteStoreInThread : openSqliteStore;
    return open(database.path, { checkIntegrity });
  }
  // The drivers of the production pair take longer to load than the embedded pair takes to start.
  const { connectMongoStore } = await import('./mongo-store.ts');
  return connectMongoStore(database.url, jobsMapping, pool);
}
