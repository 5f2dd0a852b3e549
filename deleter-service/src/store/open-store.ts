import type { MongoPool } from '@jobs-delete/runtime/mongo/open-mongo';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { GroupCommitOptions } from './group-commit.ts';
import type { JobsMapping } from './jobs-mapping.ts';
import { openSqliteStore, openSqliteStoreInThread } from './sqlite-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions {
  readonly jobsMapping?: JobsMapping;
  /** Counts the connections to MongoDB. */
  readonly pool?: MongoPool;
  /** False for a user of MongoDB without the right to read jobs: their ids are not checked. Default: true. */
  readonly mayReadJobs?: boolean;
  /** Reads the whole database file and refuses a damaged one. */
  readonly checkIntegrity?: boolean;
  /** Runs a database file in its own thread: disk access then does not block the event loop. */
  readonly inThread?: boolean;
}

/** One kind of store, with the differences that its users must know. */
export interface StoreAdapter {
  /** True for a file that one process serves alone: the process locks the data folder and has every role. */
  readonly isEmbedded: boolean;
  readonly groupSizes: Pick<GroupCommitOptions, 'maxGroupJobs' | 'largeFromJobs' | 'secondFromJobs'>;
  /** @throws StartupError */
  open(options?: OpenStoreOptions): Promise<Store>;
}

/** Returns the adapter that a database URL names. A third kind of store needs one more case here. */
export function storeAdapter(database: DatabaseUrl): StoreAdapter {
  switch (database.kind) {
    case 'sqlite':
      return {
        isEmbedded: true,
        // One writer: large requests gain as much from a group as small ones.
        groupSizes: { maxGroupJobs: 8_000, largeFromJobs: 8_000 },
        open: async ({ checkIntegrity = false, inThread = false } = {}) =>
          (inThread ? openSqliteStoreInThread : openSqliteStore)(database.path, { checkIntegrity }),
      };
    case 'mongodb':
      return {
        isEmbedded: false,
        // Finds the jobs of a second group while it writes the first.
        groupSizes: { secondFromJobs: 500 },
        open: async ({ jobsMapping, pool, mayReadJobs } = {}) => {
          // The driver takes longer to load than SQLite takes to start.
          const { connectMongoStore } = await import('./mongo-store.ts');
          return connectMongoStore(database.url, jobsMapping, { pool, mayReadJobs });
        },
      };
  }
}
