import { openSqlite, type Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';

/** A schema without tables. Opening a file with it changes no table. */
export const noSchema = { name: 'test', migrations: [] };

export function withSqliteFile<Result>(path: string, use: (database: Sqlite) => Result): Result {
  const database = openSqlite(path, noSchema);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Returns SQL that creates the same file: the schema and every row. */
export function dumpSql(path: string): string {
  return withSqliteFile(path, (database) => {
    const schema = database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
      .raw()
      .all() as [string, string, string][];
    const tables = schema.flatMap(([type, name]) => (type === 'table' ? [name] : []));
    return [
      ...schema.map(([, , sql]) => `${sql};`),
      ...tables.flatMap((table) => insertsOf(database, table)),
      // The last used numbers. They must not be used again.
      'DELETE FROM sqlite_sequence;',
      ...insertsOf(database, 'sqlite_sequence'),
      '',
    ].join('\n');
  });
}

/** Creates the file from its dump. */
export function loadSql(path: string, sql: string): void {
  withSqliteFile(path, (database) => {
    database.exec('DROP TABLE schema_versions');
    database.exec(sql);
  });
}

function insertsOf(database: Sqlite, table: string): string[] {
  const rows = database.prepare(`SELECT * FROM "${table}"`).raw().all() as unknown[][];
  return rows.map((row) => `INSERT INTO ${table} VALUES (${row.map(literal).join(', ')});`);
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  const bytes = Buffer.from(value as Uint8Array);
  const text = bytes.toString('utf8');
  // Text stays readable in the dump.
  return Buffer.from(text).equals(bytes) ? `CAST(${literal(text)} AS BLOB)` : `X'${bytes.toString('hex')}'`;
}
