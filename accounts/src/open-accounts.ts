import type { MongoPool } from '@jobs-delete/runtime/mongo/open-mongo';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Accounts } from './accounts.ts';
import { openSqliteAccounts, openSqliteAccountsInThread } from './sqlite/sqlite-accounts.ts';

export type OpenAccounts = Accounts & { close(): Promise<void> };

export interface OpenAccountsOptions {
  /** Counts the connections to MongoDB. */
  readonly pool?: MongoPool;
  /** Uses a thread for a database file, so the event loop never waits for the disk. */
  readonly inThread?: boolean;
}

/** @throws StartupError */
export async function openAccounts(
  database: DatabaseUrl,
  { pool, inThread = false }: OpenAccountsOptions = {},
): Promise<OpenAccounts> {
  switch (database.kind) {
    case 'sqlite':
      return inThread ? openSqliteAccountsInThread(database.path) : openSqliteAccounts(database.path);
    case 'mongodb': {
      // Loading the driver takes longer than opening the embedded database.
      const { connectMongoAccounts } = await import('./mongo/mongo-accounts.ts');
      return connectMongoAccounts(database.url, pool);
    }
  }
}
