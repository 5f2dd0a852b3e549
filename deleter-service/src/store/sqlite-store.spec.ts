import { mkdirSync, openSync, readFileSync, writeSync, closeSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openSqlite, type OpenSqliteOptions } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { accept, acceptAll, acceptRequest, acme, attempt, importJobs, jobIds } from '../testing/deletions.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openSqliteStore, openSqliteStoreInThread } from './sqlite-store.ts';
import { prepareAcceptDeletions } from './sqlite/accept.ts';
import { jobsSchema } from './sqlite/schema.ts';
import { prepareUsage } from './sqlite/rules.ts';
import { storeContract } from './contract/store.contract.ts';
import type { Store } from './store.ts';

const newPath = temporaryFolder();

/** Opens one file for all tests of the contract: opening takes longer than most tests do. */
function sharedStore(open: (path: string, options?: OpenSqliteOptions) => Promise<Store>) {
  const path = newPath();
  let kept: Store | undefined;
  afterAll(() => kept?.close());
  return async () => {
    const database = openSqlite(path, jobsSchema);
    const list = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_versions'";
    const tables = database.prepare(list).raw().all() as [string][];
    database.exec(tables.map(([table]) => `DELETE FROM ${table};`).join('\n'));
    database.close();
    const store = (kept ??= await open(path));
    return {
      store,
      reopen: async () => {
        await kept?.close();
        return (kept = await open(path, { checkIntegrity: true }));
      },
      close: () => Promise.resolve(),
    };
  };
}

storeContract(
  'SQLite',
  sharedStore((...values) => Promise.resolve(openSqliteStore(...values))),
);
storeContract('SQLite, in a thread of its own', sharedStore(openSqliteStoreInThread));

describe('the SQLite file', () => {
  const refusal = (open: () => unknown): StartupError => {
    try {
      open();
    } catch (error) {
      if (error instanceof StartupError) return error;
      throw error;
    }
    throw new Error('it was not refused');
  };

  test('of a newer program is refused with the reason', async () => {
    const path = newPath();
    await openSqliteStore(path).close();
    const migrations = [...jobsSchema.migrations, 'CREATE TABLE later (id TEXT) STRICT'];
    openSqlite(path, { name: 'jobs', migrations }).close();
    const { message } = refusal(() => openSqliteStore(path));
    expect(message).toContain(path);
    expect(message).toMatch(/'jobs' tables are of schema version 2 .* versions up to 1; start the newer/);
  });

  test('that is no database is refused and left unchanged', () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'not a database'.repeat(1_000));
    expect(refusal(() => openSqliteStore(path)).message).toMatch(/damaged or not a database/);
    expect(readFileSync(path, 'utf8')).toBe('not a database'.repeat(1_000));
  });

  test('that is damaged is refused if its integrity is checked', async () => {
    const path = newPath();
    const store = openSqliteStore(path);
    await importJobs(store, acme, jobIds(2_000));
    const database = openSqlite(path, jobsSchema);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    await store.close();
    const file = openSync(path, 'r+');
    for (let page = 4; page < 20; page++) writeSync(file, Buffer.alloc(2_048, 0xff), 0, 2_048, page * 4_096);
    closeSync(file);
    expect(refusal(() => openSqliteStore(path, { checkIntegrity: true })).message).toMatch(/damaged/);
  });

  test('is never opened in memory, because nothing would be durable', () => {
    expect(refusal(() => openSqliteStore(':memory:')).message).toMatch(/does not allow durable writes/);
  });

  test('may have several connections, which see each other’s writes at once', async () => {
    const path = newPath();
    const first = openSqliteStore(path);
    const second = openSqliteStore(path);
    await importJobs(first, acme, jobIds(2));
    expect(await second.countJobs(acme)).toBe(2);
    await accept(second, ['job0001']);
    expect((await attempt(first, ['job0001'])).kind).toBe('jobs-not-found');
    await first.close();
    expect(await second.countJobs(acme)).toBe(2);
    await second.close();
  });

  test('reads while another connection writes', async () => {
    const path = newPath();
    const store = openSqliteStore(path);
    await importJobs(store, acme, jobIds(2));
    const writer = openSqlite(path, jobsSchema);
    writer.exec('BEGIN IMMEDIATE');
    expect(await store.countJobs(acme)).toBe(2);
    expect(await store.findJob(acme, 'job0001')).toBeDefined();
    writer.exec('ROLLBACK');
    writer.close();
    await store.close();
  });

  test('takes the write lock before the first query of a request', () => {
    const path = newPath();
    const [writer, database] = [openSqlite(path, jobsSchema), openSqlite(path, jobsSchema)];
    database.exec('PRAGMA busy_timeout = 0');
    const acceptDeletions = prepareAcceptDeletions(database, prepareUsage(database));
    writer.exec('BEGIN IMMEDIATE');
    // This request only reads. A deferred transaction would answer it without the lock.
    expect(() => acceptDeletions([acceptRequest(['unknown'])])).toThrow('database is locked');
    writer.exec('ROLLBACK');
    expect(acceptDeletions([acceptRequest(['unknown'])])).toMatchObject([{ kind: 'jobs-not-found' }]);
    writer.close();
    database.close();
  });

  test('in a thread does not block its caller while it waits for another connection', async () => {
    const path = newPath();
    const store = await openSqliteStoreInThread(path);
    const writer = openSqlite(path, jobsSchema);
    writer.exec('BEGIN IMMEDIATE');
    const importing = importJobs(store, acme, jobIds(2));
    expect(writer.prepare('SELECT count(*) FROM jobs').raw().get()).toEqual([0]);
    writer.exec('COMMIT');
    await importing;
    expect(writer.prepare('SELECT count(*) FROM jobs').raw().get()).toEqual([2]);
    writer.close();
    await store.close();
  });

  test('a failing request undoes the others of its call', async () => {
    const store = openSqliteStore(newPath());
    await importJobs(store, acme, jobIds(3));
    const unwritable = { acceptedAtMs: 0.5 };
    const requests = [acceptRequest(['job0001']), acceptRequest(['job0002'], unwritable)];
    await expect(acceptAll(store, requests)).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
    expect((await store.findJob(acme, 'job0001'))?.deletionId).toBeUndefined();
    await accept(store, ['job0001', 'job0002']);
    await store.close();
  });

  test('a closed store accepts nothing more', async () => {
    const path = newPath();
    const store = openSqliteStore(path);
    await importJobs(store, acme, ['job1']);
    await store.close();
    await expect(attempt(store, ['job1'])).rejects.toMatchObject({ name: 'Fault' });
    const again = openSqliteStore(path);
    await accept(again, ['job1']);
    await again.close();
  });

  test.each([
    ['completed without a time', "UPDATE deletions SET state = 'completed', due_at_ms = NULL"],
    ['completed and still due', "UPDATE deletions SET state = 'completed', completed_at_ms = 1"],
    ['due no more and not completed', 'UPDATE deletions SET due_at_ms = NULL'],
    ['in an unknown state', "UPDATE deletions SET state = 'lost'"],
  ])('cannot hold a deletion that is %s', async (_, statement) => {
    const path = newPath();
    const store = openSqliteStore(path);
    await importJobs(store, acme, ['job1']);
    await accept(store, ['job1']);
    const database = openSqlite(path, jobsSchema);
    expect(() => database.exec(statement)).toThrow(/CHECK constraint failed/);
    database.close();
    await store.close();
  });
});
