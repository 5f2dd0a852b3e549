import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import { rootFolder } from './folders.ts';
import { runOnce, warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';
import { startProcess } from './process/start-process.ts';
import type { RunFigures, RunSettings } from './run-cell.ts';
import { createPeerDatabase, openSqliteJobs, type SqliteJobs } from './storage/sqlite-jobs.ts';
import { createCaller, pepper } from './systems/installation.ts';
import { startEmbeddedPeer } from './systems/peers.ts';
import { jobsDeletePath, type System } from './systems/system.ts';

export const embeddedCells = ['1x64', '1000x16'].map(parseCell);

/** `jobs-delete serve` on SQLite, and Express that deletes from a SQLite file of the same durability. */
export async function measureEmbedded(bench: Bench, options: BenchOptions): Promise<RunFigures[]> {
  const dataFolder = join(bench.logFolder, 'data');
  await mkdir(dataFolder);
  const env = { DATA_DIR: dataFolder, CREDENTIAL_PEPPER: pepper };
  const ourFile = join(dataFolder, 'jobs-delete.db');
  const peerFile = join(bench.logFolder, 'peer.db');
  const caller = await createCaller(env);
  createPeerDatabase(peerFile, ourFile);

  const opened: { system: System; jobs: SqliteJobs }[] = [];
  try {
    const ours = await startServe(env, bench.logFolder);
    opened.push({ system: ours, jobs: openSqliteJobs(ourFile, caller.accountId, options.jobs) });
    const peerEnv = { DATABASE_FILE: peerFile, CREDENTIAL_PEPPER: pepper };
    const peer = await startEmbeddedPeer({ env: peerEnv, logFolder: bench.logFolder });
    opened.push({ system: peer, jobs: openSqliteJobs(peerFile, caller.accountId, options.jobs) });

    const settingsOf = (jobs: SqliteJobs): { settings: RunSettings } => ({
      settings: { ...bench.settings, caller, jobs, servers: [] },
    });
    for (const { system, jobs } of opened) await warmUp(settingsOf(jobs), system);
    const runs: RunFigures[] = [];
    for (let round = 0; round < options.rounds; round++)
      for (const cell of embeddedCells)
        for (const { system, jobs } of opened)
          runs.push(await runOnce(settingsOf(jobs), system, cell, round));
    return runs;
  } finally {
    for (const { system, jobs } of opened) {
      jobs.close();
      await system.stop();
    }
  }
}

async function startServe(env: Readonly<Record<string, string>>, logFolder: string): Promise<System> {
  const serve = await startProcess({
    name: 'serve',
    args: [join(rootFolder, 'cli/bin/jobs-delete.js'), 'serve', '--json'],
    env: { ...env, PORT: '0', GRPC_PORT: '0', LOG_LEVEL: 'info' },
    logFolder,
    ready: /"base_url":"http:\/\/[^"]*:(\d+)"/,
  });
  return {
    name: 'jobs-delete serve',
    processes: [serve],
    ports: [Number(serve.said)],
    path: jobsDeletePath,
    stop: () => serve.stop(),
  };
}
