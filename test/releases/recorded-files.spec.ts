import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { systemClock, systemRandom } from '@jobs-delete/deleter-service/deletion/clock';
import { openEventLog, openStore } from '@jobs-delete/deleter-service/testing/open-adapters';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openSqliteAccounts } from '@jobs-delete/gateway/accounts/sqlite-accounts';
import { untilSettled } from '../harness/dump-tables.ts';
import { runJobsDelete } from '../harness/spawn-roles.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { acceptedBy, deleteJobs } from './caller.ts';
import { idempotencyKey, jobs, pepper, readRecording, recordedReleases } from './recording.ts';
import { loadSql, withSqliteFile } from './sql-dump.ts';

const newPath = temporaryFolder();

reapAfterEach();

describe.each(recordedReleases)('the data folder of %s', (release) => {
  const { sql, caller: callers } = readRecording(release);
  const caller = callers.embedded;

  const restore = () => {
    const database = newPath('jobs-delete.db');
    const dataDir = dirname(database);
    loadSql(database, sql['jobs-delete.db']);
    loadSql(join(dataDir, 'events.db'), sql['events.db']);
    return dataDir;
  };
  /** It has been there for as long as the release, and is to stay. */
  const envOf = (dataDir: string) => ({
    ...{ DATA_DIR: dataDir, CREDENTIAL_PEPPER: pepper },
    ...{ RECEIPT_RETENTION_DAYS: '3650', EVENT_RETENTION_DAYS: '365' },
  });
  const jobsDelete = async (dataDir: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await runJobsDelete([...args, '--json'], envOf(dataDir));
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as unknown;
  };

  test('has the tables of a new one, once it is opened', async () => {
    const open = async (dataDir: string) => {
      openSqliteAccounts(join(dataDir, 'jobs-delete.db')).close();
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

  test('shows every deletion, its state and its jobs, and the dead letter', async () => {
    const dataDir = restore();
    const listed = (await jobsDelete(dataDir, 'deletions', 'list')) as {
      deletion_id: string;
      state: string;
    }[];
    expect(listed.map(({ state }) => state)).toEqual(['accepted', 'published', 'completed']);
    for (const { deletion_id, state } of listed) {
      const shown = await jobsDelete(dataDir, 'deletions', 'show', deletion_id, '--job-ids');
      expect(shown).toMatchObject({
        ...{ state, account_id: caller.accountId, origin: caller.origin },
        ...{ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown },
        job_ids: jobs[state as keyof typeof jobs],
      });
    }
    expect(await jobsDelete(dataDir, 'dead-letters', 'list')).toMatchObject([
      {
        event_key: listed[1]?.deletion_id,
        reason: expect.stringMatching(/^the account has no such/) as unknown,
      },
    ]);
  });

  test('is served: every deletion is completed, the caller is let in, and its key answers again', async () => {
    const dataDir = restore();
    const listed = (await jobsDelete(dataDir, 'deletions', 'list')) as { deletion_id: string }[];
    expect(await jobsDelete(dataDir, 'dead-letters', 'replay', '--all')).toEqual({ replayed_count: 1 });
    const baseUrl = await spawnServe(dataDir, { env: envOf(dataDir) }).ready;
    await untilSettled(dataDir);
    expect(await jobsDelete(dataDir, 'jobs', 'count')).toMatchObject({ job_count: jobs.untouched.length });
    const again = deleteJobs(baseUrl, caller, jobs.completed, idempotencyKey);
    expect(await acceptedBy(again)).toBe(listed[2]?.deletion_id);
    expect((await deleteJobs(baseUrl, caller, jobs.completed)).status).toBe(404);
    await acceptedBy(deleteJobs(baseUrl, caller, jobs.untouched));
    await untilSettled(dataDir);
    expect(await jobsDelete(dataDir, 'audit', '--since', '3650d')).toMatchObject({
      ...{ healthy: true, open_count: 0, completed_count: 4 },
    });
  });
});
