import type { MongoProbe } from './open-mongo.ts';
import type { DatabaseUrl } from '../config/storage-url.ts';

/** Opens a probe of the database; undefined for SQLite, which has no pool. @throws StartupError */
export async function openDatabaseProbe(database: DatabaseUrl): Promise<MongoProbe | undefined> {
  if (database.kind === 'sqlite') return undefined;
  // Loading the driver takes longer than opening SQLite.
  const { openMongoProbe } = await import('./open-mongo.ts');
  return openMongoProbe(database.url);
}
