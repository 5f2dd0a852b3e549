import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { rootFolder } from './folders.ts';
import { startProcess } from './process/start-process.ts';
import type { RunSettings } from './run-cell.ts';
import { createPeerDatabase, openSqliteJobs } from './storage/sqlite-jobs.ts';
import { createCaller, pepper } from './systems/installation.ts';
import { startEmbeddedPeer } from './systems/peers.ts';
import { jobsDeletePath, type System } from './systems/system.ts';

export interface Embedded {
  readonly system: System;
  readonly settings: RunSettings;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Jobs per database that no run deletes. */
  readonly jobs: number;
  readonly profileFolder?: string;
}

/** Starts `jobs-delete serve` on SQLite, and an Express server that deletes from SQLite with the same durability. */
export async function startEmbedded(bench: Bench, options: EmbeddedOptions): Promise<[Embedded, Embedded]> {
  const folder = await mkdtemp(join(bench.logFolder, 'embedded-'));
  const env = { DATA_DIR: folder, CREDENTIAL_PEPPER: pepper };
  const ourFile = join(folder, 'jobs-delete.db');
  const peerFile = join(folder, 'peer.db');
  const caller = await createCaller(env);
  createPeerDatabase(peerFile, ourFile);

  const withJobs = (system: System, file: string): Embedded => {
    const jobs = openSqliteJobs(file, caller.accountId, options.jobs);
    const stop = async () => {
      jobs.close();
      await system.stop();
    };
    return { system, settings: { ...bench.settings, caller, jobs, servers: [] }, stop };
  };
  const ours = withJobs(await startServe(env, folder, options.profileFolder), ourFile);
  const peerEnv = { DATABASE_FILE: peerFile, CREDENTIAL_PEPPER: pepper };
  return [ours, withJobs(await startEmbeddedPeer({ env: peerEnv, logFolder: folder }), peerFile)];
}

async function startServe(
  env: Readonly<Record<string, string>>,
  logFolder: string,
  profileFolder: string | undefined,
): Promise<System> {
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const serve = await startProcess({
    name: 'serve',
    args: [...profiling, join(rootFolder, 'cli/bin/jobs-delete.js'), 'serve', '--json'],
    env: { ...env, PORT: '0', DASHBOARD_PORT: '0', GRPC_PORT: '0', LOG_LEVEL: 'info' },
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
