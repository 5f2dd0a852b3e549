import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { openEventLog, openStore } from '@jobs-delete/deleter-service/testing/open-adapters';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openSqliteAccounts } from '@jobs-delete/accounts/sqlite/sqlite-accounts';
import { untilSettled } from '../harness/dump-tables.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { succeed } from '../production/cluster.ts';
import type { TestAccount } from '../harness/service.ts';
import { recordEmbedded } from './record-embedded.ts';
import { expectAllShown, expectToServe, type Installation } from './recorded-checks.ts';
import {
  checkedReleases,
  pepper,
  readRecording,
  recordedEnv,
  thisVersion,
  type Recording,
} from './recording.ts';
import { loadSql, withSqliteFile } from './sql-dump.ts';

const newPath = temporaryFolder();

reapAfterEach();

describe.each(checkedReleases)('the data folder of %s', (release) => {
  let sql: Recording['sql'];
  let caller: TestAccount;

  beforeAll(async () => {
    if (release === thisVersion) ({ sql, caller } = await recordEmbedded(recordedEnv));
    else {
      const recording = readRecording(release);
      [sql, caller] = [recording.sql, recording.caller.embedded];
    }
  });

  const restore = () => {
    const database = newPath('jobs-delete.db');
    const dataDir = dirname(database);
    loadSql(database, sql['jobs-delete.db']);
    loadSql(join(dataDir, 'events.db'), sql['events.db']);
    return dataDir;
  };
  /** Keeps the receipts, which are as old as the release. */
  const envOf = (dataDir: string) => ({
    DATA_DIR: dataDir,
    CREDENTIAL_PEPPER: pepper,
    RECEIPT_RETENTION_DAYS: '3650',
  });
  const installationIn = (dataDir: string): Installation => ({
    caller,
    jobsDelete: (...args) => succeed(args, envOf(dataDir)),
  });

  test('has the tables of a new folder after opening', async () => {
    const open = async (dataDir: string) => {
      await openSqliteAccounts(join(dataDir, 'jobs-delete.db')).close();
      await openStore(join(dataDir, 'jobs-delete.db')).close();
      await openEventLog(join(dataDir, 'events.db'), { clock: systemClock, random: systemRandom }).close();
    };
    const schemas = (dataDir: string) =>
      ['jobs-delete.db', 'events.db'].map((name) =>
        withSqliteFile(join(dataDir, name), (file) => [
          file.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').raw().all(),
          file.prepare('SELECT name, version FROM schema_versions ORDER BY name').raw().all(),
        ]),
      );
    const [old, fresh] = [restore(), dirname(newPath())];
    await open(old);
    await open(fresh);
    expect(schemas(old)).toEqual(schemas(fresh));
  });

  test('shows every deletion, its state and its jobs, and the dead letter', () =>
    expectAllShown(installationIn(restore())));

  test('is served: all deletions are completed, the credentials work, and the key replays its answer', async () => {
    const dataDir = restore();
    const installation = installationIn(dataDir);
    expect(await installation.jobsDelete('dead-letters', 'replay', '--all')).toEqual({ replayed_count: 1 });
    const baseUrl = await spawnServe(dataDir, { env: envOf(dataDir) }).ready;
    await untilSettled(dataDir);
    await expectToServe(installation, baseUrl, () => untilSettled(dataDir));
  });
});
