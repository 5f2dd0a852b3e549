import { join } from 'node:path';
import { openSqlite, type Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { untilClusterSettled } from '../production/cluster-aftermath.ts';
import { dumpStorage } from '../production/dump-storage.ts';
import { ownStorageOf } from '../production/own-storage.ts';
import { until } from './until.ts';

/**
 * Returns every row of every table. Equal dumps mean that nothing has changed, except what a refused request records: the
 * times when a credential was last refused and a domain last used, the counts of refusals, and the refused requests.
 */
export function dumpTables(dataDir: string): string {
  const own = ownStorageOf(dataDir);
  if (own) return dumpStorage(own);
  const tables = {
    jobs: withDatabase(join(dataDir, 'jobs-delete.db'), dumpDatabase),
    events: withDatabase(join(dataDir, 'events.db'), dumpDatabase),
  };
  return JSON.stringify(tables, (column, value: unknown) =>
    column === 'last_refused_at_ms' ? undefined : value,
  );
}

/** Waits until every accepted deletion is completed and every event has been consumed. */
export async function untilSettled(dataDir: string): Promise<void> {
  const own = ownStorageOf(dataDir);
  if (own) return untilClusterSettled(own);
  const count = (file: string, sql: string) =>
    withDatabase(join(dataDir, file), (database) => database.prepare(sql).raw().get() as [number])[0];
  const lagging = `SELECT count(*) FROM events JOIN offsets USING (topic) WHERE seq > processed_seq`;
  await until(
    () => count('jobs-delete.db', "SELECT count(*) FROM deletions WHERE state <> 'completed'") === 0,
  );
  await until(() => count('events.db', lagging) === 0);
}

/** Declares no tables, so opening a file with it changes nothing. */
const noSchema = { name: 'test', migrations: [] };

function withDatabase<Result>(path: string, use: (database: Sqlite) => Result): Result {
  const database = openSqlite(path, noSchema);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

function dumpDatabase(database: Sqlite): Record<string, unknown[]> {
  const read = database.transaction(() => {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'refus%'")
      .raw()
      .all();
    const columnsOf = (name: string) => (name === 'allowed_domains' ? 'account_id, domain' : '*');
    return Object.fromEntries(
      (tables as [string][]).map(([name]) => [
        name,
        database.prepare(`SELECT ${columnsOf(name)} FROM "${name}"`).all(),
      ]),
    );
  });
  return read();
}
