import type { MongoPool } from '@jobs-delete/runtime/mongo-pool';
import type { DatabaseUrl } from '@jobs-delete/runtime/storage-url';
import type { JobsMapping } from './jobs-mapping.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions {
  readonly jobsMapping?: JobsMapping;
  /** Is told of the connections to MongoDB. */
  readonly pool?: MongoPool;
  /** Reads a database file as a whole and refuses a damaged one. */
  readonly checkIntegrity?: boolean;
}

/** @throws StartupError */
export async function openStore(database: DatabaseUrl, options: OpenStoreOptions = {}): Promise<Store> {
  const { checkIntegrity = false, jobsMapping, pool } = options;
  if (database.kind === 'sqlite') return openSqliteStore(database.path, { checkIntegrity });
  // The drivers of the production pair take longer to load than the embedded pair takes to start.
  const { connectMongoStore } = await import('./mongo-store.ts');
  return connectMongoStore(database.url, jobsMapping, pool);
}
