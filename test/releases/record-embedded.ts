import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { freePorts } from '../harness/spawn-child.ts';
import { testedPrograms } from '../harness/programs.ts';
import { until } from '../harness/until.ts';
import {
  acceptedBy,
  createCaller,
  deleteJobs,
  idempotencyKey,
  jobs,
  pepper,
  type Recording,
} from './recording.ts';
import { dumpSql, noSchema, withSqliteFile } from './sql-dump.ts';

export async function recordEmbedded(
  env: Readonly<Record<string, string>>,
): Promise<Pick<Recording, 'sql'> & { readonly caller: Recording['caller']['embedded'] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jobs-delete-release-'));
  const database = join(dataDir, 'jobs-delete.db');
  const events = join(dataDir, 'events.db');
  const commandEnv = { DATA_DIR: dataDir, CREDENTIAL_PEPPER: pepper, ...env };
  let serve: ChildProcess | undefined;
  try {
    const caller = await createCaller(commandEnv);
    const started = await startServe(commandEnv);
    serve = started.child;
    const accept = (jobIds: readonly string[], key?: string) =>
      acceptedBy(deleteJobs(started.baseUrl, caller, jobIds, key));
    const stateOf = (id: string) =>
      withSqliteFile(database, (file) =>
        file.prepare('SELECT state FROM deletions WHERE id = ?').raw().get(id),
      );
    const untilState = (id: string, state: string) =>
      until(() => String(stateOf(id)) === state, { what: state });
    const setAccount = (id: string, accountId: string) =>
      withSqliteFile(database, (file) =>
        file.prepare('UPDATE deletions SET account_id = ? WHERE id = ?').run(accountId, id),
      );

    await untilState(await accept(jobs.completed, idempotencyKey), 'completed');
    // The worker receives the event while the deletion belongs to another account.
    const release = holdLog(events);
    const published = await accept(jobs.published);
    setAccount(published, 'somebody-else');
    release();
    await until(() =>
      withSqliteFile(events, (file) => file.prepare('SELECT id FROM dead_letters').all().length === 1),
    );
    setAccount(published, caller.accountId);
    await untilState(published, 'published');
    const releaseAgain = holdLog(events);
    await accept(jobs.accepted);
    await end(started.child);
    releaseAgain();
    return { caller, sql: { 'jobs-delete.db': dumpSql(database), 'events.db': dumpSql(events) } };
  } finally {
    if (serve) await end(serve);
    rmSync(dataDir, { recursive: true });
  }
}

/** Blocks publishing until the returned function is called. */
function holdLog(events: string): () => void {
  const file = openSqlite(events, noSchema);
  file.exec('BEGIN IMMEDIATE');
  return () => {
    file.exec('ROLLBACK');
    file.close();
  };
}

async function startServe(env: NodeJS.ProcessEnv) {
  const child = spawn(
    process.execPath,
    [join(testedPrograms().root, 'cli/bin/jobs-delete.js'), 'serve', '--json'],
    {
      env: {
        PATH: process.env.PATH,
        ...freePorts,
        LOG_LEVEL: 'fatal',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [ready] = (await once(child.stdout, 'data')) as [Buffer];
  const { base_url: baseUrl } = JSON.parse(ready.toString()) as { base_url: string };
  return { child, baseUrl };
}

/** Kills the process without notice, like a power cut. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
