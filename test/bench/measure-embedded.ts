import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createCaller, pepper, type Bench, type BenchOptions } from './bench.ts';
import { parseCell } from './cells.ts';
import { createPeerDatabase, openSqliteJobs } from './jobs.ts';
import { runOnce, warmUp, type RunFigures, type RunSettings } from './run-cell.ts';
import { startEmbeddedPeer, startServe, type System } from './systems.ts';

export const embeddedCells = ['1x64', '1000x16'].map(parseCell);

/** Measures `jobs-delete serve` on SQLite, and an Express server that deletes from SQLite with the same durability. */
export async function measureEmbedded(bench: Bench, options: BenchOptions): Promise<RunFigures[]> {
  const ours = await startEmbedded(bench, options);
  const peerFile = join(ours.folder, 'peer.db');
  createPeerDatabase(peerFile, ours.file);
  const peer = await startEmbeddedPeer({
    env: { DATABASE_FILE: peerFile, CREDENTIAL_PEPPER: pepper },
    logFolder: ours.folder,
  });
  const jobs = openSqliteJobs(peerFile, ours.settings.caller.accountId, options.jobs);
  const pair = [ours, { system: peer, settings: { ...ours.settings, jobs } }];
  const runs: RunFigures[] = [];
  try {
    for (const { settings, system } of pair) await warmUp(settings, system);
    for (let round = 0; round < options.rounds; round++)
      for (const cell of embeddedCells)
        for (const { settings, system } of pair) runs.push(await runOnce(settings, system, cell));
  } finally {
    jobs.close();
    await Promise.all([ours.stop(), peer.stop()]);
  }
  return runs;
}

export interface Embedded {
  readonly folder: string;
  /** The database. */
  readonly file: string;
  readonly system: System;
  readonly settings: RunSettings;
  stop(): Promise<void>;
}

/** Starts `jobs-delete serve` in a new folder. */
export async function startEmbedded(
  bench: Bench,
  { jobs: staying }: BenchOptions,
  profileFolder?: string,
): Promise<Embedded> {
  const folder = await mkdtemp(join(bench.logFolder, 'embedded-'));
  const file = join(folder, 'jobs-delete.db');
  const env = { DATA_DIR: folder, CREDENTIAL_PEPPER: pepper };
  const caller = await createCaller(env);
  const system = await startServe({ env, logFolder: folder, profileFolder });
  const jobs = openSqliteJobs(file, caller.accountId, staying);
  return {
    folder,
    file,
    system,
    settings: { ...bench.settings, caller, jobs, servers: [] },
    stop: async () => {
      jobs.close();
      await system.stop();
    },
  };
}
