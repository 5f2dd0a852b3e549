import type { MongoPool } from '@jobs-delete/runtime/mongo-pool';
import type { DatabaseUrl } from '@jobs-delete/runtime/storage-url';
import type { Accounts } from './accounts.ts';
import { openSqliteAccounts } from './sqlite-accounts.ts';

export type OpenAccounts = Accounts & { close(): void | Promise<void> };

/** @throws StartupError */
export async function openAccounts(database: DatabaseUrl, pool?: MongoPool): Promise<OpenAccounts> {
  if (database.kind === 'sqlite') return openSqliteAccounts(database.path);
  // The driver takes longer to load than the embedded database takes to open.
  const { connectMongoAccounts } = await import('./mongo-accounts.ts');
  return connectMongoAccounts(database.url, pool);
}
