import { closeSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventsSchema } from '@jobs-delete/deleter-service/event-log/embedded/log-file';
import { jobsSchema } from '@jobs-delete/deleter-service/store/sqlite/schema';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { databasePath, eventsPath, waitUntilSettled } from './aftermath.ts';
import { refusedStart } from './refused-start.ts';
import { setScene, type Scene } from './scene.ts';
import { attempt, finalAnswer, type SentRequest } from './sent-requests.ts';

const newPath = temporaryFolder();
const pageBytes = 4_096;

reapAfterEach();

describe.each([
  ['the database', databasePath, jobsSchema],
  ['the event log', eventsPath, eventsSchema],
] as const)('%s', (_what, pathOf, schema) => {
  let dataDir: string;
  let path: string;
  beforeEach(async () => {
    dataDir = newPath('data');
    path = pathOf(dataDir);
    await serveOneDeletion(dataDir);
    // Checkpoint first: otherwise the write-ahead log repairs the damage.
    const database = openSqlite(path, schema);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  });

  const expectDamageToBeNamed = async () => {
    const { exitCode, reason } = await refusedStart(dataDir);
    expect(exitCode).toBe(1);
    expect(reason).toContain(`Cannot open the database ${path}: the file is damaged`);
    expect(reason).toContain('restore it from a backup');
  };

  test('is refused with a damaged header', async () => {
    overwrite(path, 0, 100);
    await expectDamageToBeNamed();
  });

  test('is refused with damage in the middle', async () => {
    const pages = Math.floor(statSync(path).size / pageBytes);
    overwrite(path, Math.floor(pages / 2) * pageBytes, 2 * pageBytes);
    await expectDamageToBeNamed();
  });

  test.each([
    ['half of it', (bytes: number) => Math.floor(bytes / 2)],
    ['its last page', (bytes: number) => bytes - pageBytes],
    ['all but a few bytes', () => 50],
  ])('is refused when %s is missing', async (_name, left) => {
    truncateSync(path, left(statSync(path).size));
    await expectDamageToBeNamed();
  });

  test('is refused when a newer version wrote it', async () => {
    const database = openSqlite(path, schema);
    database.prepare('UPDATE schema_versions SET version = 99 WHERE name = ?').run(schema.name);
    database.close();
    const { exitCode, reason } = await refusedStart(dataDir);
    expect(exitCode).toBe(1);
    expect(reason).toContain(
      `Cannot open the database ${path}: its '${schema.name}' tables are of schema version 99`,
    );
    expect(reason).toContain('start the newer program again, or restore a backup');
  });
});

test.each(['', 'nonsense\n', '0'.repeat(63), `${'0'.repeat(64)}\n${'0'.repeat(64)}\n`])(
  'a credential-pepper that contains %j is refused and stays unchanged',
  async (content) => {
    const dataDir = newPath('data');
    await setScene(dataDir, { Acme: 1 });
    const path = join(dataDir, 'credential-pepper');
    writeFileSync(path, content);
    const { exitCode, reason } = await refusedStart(dataDir);
    expect(exitCode).toBe(1);
    expect(reason).toContain(`The file ${path} must contain 64 lower-case hex digits`);
    expect(statSync(path).size).toBe(content.length);
  },
);

test('a data folder without its credential-pepper is refused, and no new one is created', async () => {
  const dataDir = newPath('data');
  await serveOneDeletion(dataDir);
  const path = join(dataDir, 'credential-pepper');
  rmSync(path);
  const { exitCode, reason } = await refusedStart(dataDir);
  expect(exitCode).toBe(1);
  expect(reason).toContain('credential-pepper');
});

test('a refused start releases the lock of the folder', async () => {
  const dataDir = newPath('data');
  const scene = await setScene(dataDir, { Acme: 10 });
  const path = databasePath(dataDir);
  const database = openSqlite(path, jobsSchema);
  const setVersion = (version: number) =>
    database.prepare("UPDATE schema_versions SET version = ? WHERE name = 'jobs'").run(version);
  setVersion(99);
  await refusedStart(dataDir);
  setVersion(jobsSchema.migrations.length);
  database.close();
  await serveOneDeletion(dataDir, scene);
});

/** Runs one deletion, so both files have contents. */
async function serveOneDeletion(dataDir: string, given?: Scene): Promise<void> {
  const { accounts, pools } = given ?? (await setScene(dataDir, { Acme: 1_000 }));
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const jobIds = pools[0]?.jobIds.slice(0, 200) ?? [];
  const request: SentRequest = { account, format: 'json', jobIds, key: undefined, attempts: [] };
  const serve = spawnServe(dataDir);
  await attempt(request, await serve.ready);
  expect(finalAnswer(request)?.status).toBe(200);
  await waitUntilSettled(dataDir);
  serve.kill('SIGTERM');
  await serve.exited;
}

function overwrite(path: string, from: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(file);
}
