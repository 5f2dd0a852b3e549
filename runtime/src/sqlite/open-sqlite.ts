import { dirname } from 'node:path';
import Database from 'libsql';
import { Fault, messageOf } from '../fault.ts';
import { createPrivateFile, createPrivateFolder, requireOwnFolder } from '../files/private-files.ts';
import { StartupError } from '../startup-error.ts';

export type Sqlite = Database.Database;

/** The tables of one owner in a database file. */
export interface Schema {
  /** The key in the table `schema_versions`. */
  readonly name: string;
  /** Statement i migrates from version i to i + 1. Append only. */
  readonly migrations: readonly string[];
}

export interface OpenSqliteOptions {
  /** Reads every page and writes once, to refuse a damaged or read-only file. */
  readonly checkIntegrity?: boolean;
}

/**
 * Opens the file and migrates `schema` forward. Creates a missing file and folder with owner-only permissions. A
 * committed transaction is on disk: verifies WAL with `synchronous=FULL`
 * (https://www.sqlite.org/pragma.html#pragma_synchronous).
 * @throws StartupError naming a file that cannot be opened, is not durable, is damaged, or has a newer schema,
 * or whose folder others may replace it in
 */
export function openSqlite(path: string, schema: Schema, options: OpenSqliteOptions = {}): Sqlite {
  if (path !== ':memory:') requireOwnFolder(dirname(path));
  let database: Sqlite | undefined;
  try {
    createPrivateFolder(dirname(path));
    if (path !== ':memory:') createPrivateFile(path);
    database = new Database(path, { timeout: lockTimeoutMs });
    assertDurable(database);
    // After 32 MB of write-ahead log, not 4 MB: pages that change often, such as the outbox, are copied less.
    database.prepare('PRAGMA wal_autocheckpoint=8000').raw().get();
    keepTransactionErrors(database);
    if (options.checkIntegrity) assertIntact(database);
    migrate(database, schema);
    if (options.checkIntegrity) assertWritable(database, schema);
    return database;
  } catch (error) {
    database?.close();
    throw new StartupError(`Cannot open the database ${path}: ${sqliteReason(error)}`, { cause: error });
  }
}

/** The limit for waiting for another process's transaction; longer than any takes. */
const lockTimeoutMs = 5_000;

function assertDurable(database: Sqlite): void {
  const mode = database.prepare('PRAGMA journal_mode=WAL').raw().get() as [string];
  database.exec('PRAGMA synchronous=FULL');
  const synchronous = database.prepare('PRAGMA synchronous').raw().get() as [number];
  if (mode[0] !== 'wal' || synchronous[0] !== 2) {
    throw new StartupError(
      `the folder does not allow durable writes (journal_mode ${mode[0]}, synchronous ${String(synchronous[0])})`,
    );
  }
}

function assertIntact(database: Sqlite): void {
  const verdict = database.prepare('PRAGMA quick_check(1)').raw().get() as [string];
  if (verdict[0] !== 'ok')
    throw new StartupError(`the file is damaged (${verdict[0]}); restore it from a backup`);
}

/** SQLite opens a read-only file without an error and fails at the first write. */
function assertWritable(database: Sqlite, { name }: Schema): void {
  database.prepare('UPDATE schema_versions SET version = version WHERE name = ?').run(name);
}

/**
 * On a full or failing disk SQLite rolls back by itself (https://www.sqlite.org/lang_transaction.html, 2.4). A second
 * ROLLBACK by libsql's `transaction` would fail and hide the cause, so skip it.
 */
function keepTransactionErrors(database: Sqlite): void {
  const exec = database.exec.bind(database);
  database.exec = (sql) => (sql === 'ROLLBACK' && !database.inTransaction ? database : exec(sql));
}

function migrate(database: Sqlite, schema: Schema): void {
  const newest = schema.migrations.length;
  const upgrade = database.transaction(() => {
    database.exec(
      'CREATE TABLE IF NOT EXISTS schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL)',
    );
    const row = database
      .prepare('SELECT version FROM schema_versions WHERE name = ?')
      .raw()
      .get(schema.name) as [number] | undefined;
    const version = row?.[0] ?? 0;
    if (version > newest) {
      throw new StartupError(
        `its '${schema.name}' tables are of schema version ${String(version)} and this program knows versions up to ` +
          `${String(newest)}; start the newer program again, or restore a backup made before the upgrade`,
      );
    }
    if (version === newest) return;
    for (const migration of schema.migrations.slice(version)) database.exec(migration);
    database
      .prepare(
        'INSERT INTO schema_versions (name, version) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version',
      )
      .run(schema.name, newest);
  });
  upgrade.immediate();
}

/** Converts an SQLite error to a Fault: locks and disk errors are `unavailable`, the rest `internal`. */
export function sqliteFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const code = sqliteCode(error);
  const isTransient = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test(code);
  return new Fault(isTransient ? 'unavailable' : 'internal', `SQLite: ${code || String(error)}`, error);
}

/** Runs synchronous SQLite calls. @throws Fault */
export function withSqlite<Result>(use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw sqliteFault(error);
  }
}

function sqliteCode(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return '';
  const extended = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(error.code)?.[1];
  return primaryCodes.get(Number(extended) & 0xff) ?? error.code;
}

/** Names of primary result codes, for extended codes that libsql does not name (https://www.sqlite.org/rescode.html). */
const primaryCodes: ReadonlyMap<number, string> = new Map([
  [3, 'SQLITE_PERM'],
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [26, 'SQLITE_NOTADB'],
]);

/** Returns why a file could not be opened, for the operator. */
export function sqliteReason(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  const code = sqliteCode(error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return `the file is damaged or not a database (${code}); restore it from a backup`;
  if (/^SQLITE_(READONLY|CANTOPEN|PERM)|^(EACCES|EPERM|EROFS)/.test(code))
    return `the folder or the file cannot be written (${code})`;
  if (/^SQLITE_FULL|^ENOSPC/.test(code)) return `the disk is full (${code})`;
  if (code.startsWith('SQLITE_IOERR')) return `the disk cannot be read or written, or is full (${code})`;
  const message = messageOf(error);
  // libsql reports no code for a file that it cannot open.
  if (message.startsWith('ConnectionFailed')) return 'the file cannot be opened for writing';
  return message;
}
