import type { MongoProbe } from './open-mongo.ts';
import type { DatabaseUrl } from '../config/storage-url.ts';

/** @returns undefined for a database file, which has no pool. @throws StartupError */
export async function openDatabaseProbe(database: DatabaseUrl): Promise<MongoProbe | undefined> {
  if (database.kind === 'sqlite') return undefined;
  // The driver takes longer to load than the embedded database takes to open.
  const { openMongoProbe } = await import('./open-mongo.ts');
  return openMongoProbe(database.url);
}
