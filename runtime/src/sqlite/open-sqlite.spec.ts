import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Fault } from '../fault.ts';
import { openSqlite, sqliteFault, withSqlite, type Schema, type Sqlite } from './open-sqlite.ts';
import { StartupError } from '../startup-error.ts';

const schema: Schema = { name: 'notes', migrations: ['CREATE TABLE notes (text TEXT NOT NULL) STRICT'] };

describe('a SQLite file', () => {
  let folder: string;
  let path: string;
  const opened: Sqlite[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
    path = join(folder, 'deep', 'notes.db');
  });
  afterEach(() => {
    for (const database of opened.splice(0)) database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (more: Schema = schema, at = path): Sqlite => {
    const database = openSqlite(at, more, { checkIntegrity: true });
    opened.push(database);
    return database;
  };
  const valueOf = (database: Sqlite, sql: string): unknown =>
    (database.prepare(sql).raw().get() as unknown[] | undefined)?.[0];

  test('is made where it is missing, with its folder', () => {
    open().exec("INSERT INTO notes VALUES ('kept')");
    expect(valueOf(open(), 'SELECT text FROM notes')).toBe('kept');
  });

  const modesOf = (at: string) =>
    Object.fromEntries(
      ['.', ...readdirSync(at)].map((name) => [name, (statSync(join(at, name)).mode & 0o777).toString(8)]),
    );

  test('is created for its owner only, whatever the umask, with its folder, journal and shared memory', () => {
    const before = process.umask(0);
    try {
      open().exec("INSERT INTO notes VALUES ('kept')");
    } finally {
      process.umask(before);
    }
    expect(modesOf(dirname(path))).toEqual({
      '.': '700',
      'notes.db': '600',
      'notes.db-wal': '600',
      'notes.db-shm': '600',
    });
  });

  test('keeps the modes that it has, and its folder too', () => {
    mkdirSync(dirname(path));
    writeFileSync(path, '');
    chmodSync(dirname(path), 0o755);
    chmodSync(path, 0o640);
    open().exec("INSERT INTO notes VALUES ('kept')");
    expect(modesOf(dirname(path))).toMatchObject({ '.': '755', 'notes.db': '640', 'notes.db-wal': '640' });
  });

  test('has every transaction on the disk when it returns: WAL, synced in full', () => {
    const database = open();
    expect(valueOf(database, 'PRAGMA journal_mode')).toBe('wal');
    expect(valueOf(database, 'PRAGMA synchronous')).toBe(2);
  });

  test('that could not be durable is refused', () => {
    expect(() => open(schema, ':memory:')).toThrow(/does not allow durable writes \(journal_mode memory/);
  });

  test('is brought up to date step by step, each step once', () => {
    open().exec("INSERT INTO notes VALUES ('old')");
    const migrations = [
      ...schema.migrations,
      "ALTER TABLE notes ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine'",
    ];
    const newer = { ...schema, migrations: [...migrations, "UPDATE notes SET mood = mood || '!'"] };
    open(newer);
    expect(valueOf(open(newer), 'SELECT mood FROM notes')).toBe('fine!');
  });

  test('stays as it was when a step fails', () => {
    open();
    const broken = {
      ...schema,
      migrations: [...schema.migrations, 'CREATE TABLE more (x TEXT); SELECT broken'],
    };
    expect(() => open(broken)).toThrow(StartupError);
    const database = open();
    expect(valueOf(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'")).toBe(0);
    expect(valueOf(database, 'SELECT version FROM schema_versions')).toBe(1);
  });

  test('may hold the tables of several owners, each with its own version', () => {
    open();
    const other = {
      name: 'other',
      migrations: ['CREATE TABLE others (x TEXT)', 'CREATE TABLE more (x TEXT)'],
    };
    const database = open(other);
    expect(database.prepare('SELECT name, version FROM schema_versions ORDER BY name').raw().all()).toEqual([
      ['notes', 1],
      ['other', 2],
    ]);
  });

  test('of a newer schema is refused, and is not changed', () => {
    open({ ...schema, migrations: [...schema.migrations, 'CREATE TABLE later (x TEXT)'] });
    expect(() => open()).toThrow(/notes\.db: its 'notes' tables are of schema version 2/);
    expect(valueOf(open({ name: 'x', migrations: [] }), 'SELECT count(*) FROM later')).toBe(0);
  });

  test.each([
    [
      'not a database',
      () => writeFileSync(join(folder, 'odd.db'), 'x'.repeat(10_000)),
      /damaged or not a database/,
    ],
    ['a folder that is a file', () => writeFileSync(join(folder, 'odd.db'), ''), /Cannot open the database/],
  ])('refuses %s and names the path', (name, prepare, message) => {
    prepare();
    const at = name.includes('folder') ? join(folder, 'odd.db', 'notes.db') : join(folder, 'odd.db');
    expect(() => open(schema, at)).toThrow(message);
    expect(() => open(schema, at)).toThrow(at);
  });

  test('is shared with other processes', () => {
    const database = open();
    const libsql = createRequire(import.meta.url).resolve('libsql');
    const code = `
      const Database = require(${JSON.stringify(libsql)});
      const database = new Database(${JSON.stringify(path)}, { timeout: 5000 });
      database.exec("INSERT INTO notes VALUES ('from elsewhere')");
      database.close();`;
    execFileSync(process.execPath, ['-e', code]);
    expect(valueOf(database, 'SELECT text FROM notes')).toBe('from elsewhere');
  });

  test('an unavailable Fault reports a file that another process writes', () => {
    const [writer, waiting] = [open(), open()];
    waiting.exec('PRAGMA busy_timeout = 0');
    writer.exec('BEGIN IMMEDIATE');
    const fault = faultOf(() => withSqlite(() => waiting.exec('BEGIN IMMEDIATE')));
    expect(fault).toMatchObject({ code: 'unavailable', message: 'SQLite: SQLITE_BUSY' });
    writer.exec('ROLLBACK');
    withSqlite(() => waiting.exec('BEGIN IMMEDIATE'));
  });

  test('that is full is a Fault that may pass', () => {
    const database = open();
    database.exec('PRAGMA max_page_count = 6');
    const insert = database.prepare('INSERT INTO notes VALUES (?)');
    const fault = faultOf(() => withSqlite(() => insert.run('x'.repeat(100_000))));
    expect(fault).toMatchObject({ code: 'unavailable', message: 'SQLite: SQLITE_FULL' });
  });

  test('that fills up in a transaction is told by that cause, and has none of it', () => {
    const database = open();
    database.exec('PRAGMA max_page_count = 6');
    const insert = database.prepare('INSERT INTO notes VALUES (?)');
    const insertAll = database.transaction((texts: string[]) => texts.forEach((text) => insert.run(text)));
    const fault = faultOf(() => withSqlite(() => insertAll.immediate(['short', 'x'.repeat(100_000)])));
    expect(fault).toMatchObject({ code: 'unavailable', message: 'SQLite: SQLITE_FULL' });
    expect(valueOf(database, 'SELECT count(*) FROM notes')).toBe(0);
    insertAll.immediate(['short']);
  });

  test('used wrongly is a defect', () => {
    const database = open();
    for (const sql of ['SELECT x FROM nowhere', 'INSERT INTO notes VALUES (NULL)'])
      expect(faultOf(() => withSqlite(() => database.exec(sql))).code).toBe('internal');
  });

  const faultOf = (use: () => unknown): Fault => {
    try {
      use();
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
    throw new Error('it did not fail');
  };

  test('knows a code that libsql has no name for by its kind', () => {
    const unnamed = (code: number) =>
      Object.assign(new Error('no'), { code: `UNKNOWN_SQLITE_ERROR_${String(code)}` });
    expect(sqliteFault(unnamed(1_544))).toMatchObject({
      code: 'unavailable',
      message: 'SQLite: SQLITE_READONLY',
    });
    expect(sqliteFault(unnamed(1_299))).toMatchObject({ code: 'internal' });
  });

  test('leaves a Fault as it is, and keeps the cause of another', () => {
    const fault = new Fault('unknown-outcome', 'already classified');
    expect(sqliteFault(fault)).toBe(fault);
    const cause = new TypeError('a defect');
    expect(sqliteFault(cause)).toMatchObject({ code: 'internal', cause });
  });
});
