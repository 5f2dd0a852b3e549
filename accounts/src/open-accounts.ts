import type { MongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Accounts } from './accounts.ts';
import { openSqliteAccounts, openSqliteAccountsInThread } from './sqlite/sqlite-accounts.ts';

export type OpenAccounts = Accounts & { close(): Promise<void> };

export interface OpenAccountsOptions {
  /** Is told of the connections to MongoDB. */
  readonly pool?: MongoPool;
  /** A database file has a thread of its own, so that who serves many never waits for the disk. */
  readonly inThread?: boolean;
}

/** @throws StartupError */
export async function openAccounts(
  database: DatabaseUrl,
  { pool, inThread = false }: OpenAccountsOptions = {},
): Promise<OpenAccounts> {
  if (database.kind === 'sqlite')
    return inThread ? openSqliteAccountsInThread(database.path) : openSqliteAccounts(database.path);
  // The driver takes longer to load than the embedded database takes to open.
  const { connectMongoAccounts } = await import('./mongo/mongo-accounts.ts');
  return connectMongoAccounts(database.url, pool);
}
