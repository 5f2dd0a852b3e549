import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoad } from './load/start-load.ts';
import type { BenchOptions } from './options.ts';
import type { RunSettings } from './run-cell.ts';
import { startServers, type BenchServers } from './servers.ts';
import { openMongoJobs, type MongoJobs } from './storage/mongo-jobs.ts';
import { createCaller, createStorage, pepper } from './systems/installation.ts';
import { startOurs, type OursOptions } from './systems/ours.ts';
import { startPeer, type PeerName } from './systems/peers.ts';
import type { System } from './systems/system.ts';

/** Servers, an account, jobs and the load generator, shared by all runs. */
export interface Bench {
  readonly servers: BenchServers;
  readonly settings: RunSettings & { readonly jobs: MongoJobs };
  readonly logFolder: string;
  /** Environment of the services and the `jobs-delete` command. */
  readonly env: Readonly<Record<string, string>>;
  /** Kafka topic for the raw limits. */
  readonly rawTopic: string;
  startOurs(options?: Partial<OursOptions>): Promise<System>;
  startPeer(name: PeerName): Promise<System>;
  close(): Promise<void>;
}

const rawTopic = 'bench-raw';
const peerTopic = 'bench-peer';

export async function openBench(options: BenchOptions): Promise<Bench> {
  const logFolder = await mkdtemp(join(tmpdir(), 'jobs-delete-bench-'));
  const servers = await startServers(options);
  const { databaseUrl, kafkaBrokers } = servers;
  const env: Readonly<Record<string, string>> = {
    DATABASE_URL: databaseUrl,
    EVENT_LOG_URL: `kafka://${kafkaBrokers.join(',')}`,
    CREDENTIAL_PEPPER: pepper,
    GRPC_SERVICE_TOKENS: 'service-token-of-the-bench-0123456789',
  };
  await createStorage(env);
  await servers.createTopic(rawTopic, 4);
  await servers.createTopic(peerTopic, 4);
  const caller = await createCaller(env);
  const jobs = await openMongoJobs(databaseUrl, caller.accountId);
  const load = startLoad();
  const { seconds, mostJobs } = options;
  return {
    servers,
    settings: { caller, load, jobs, seconds, mostJobs, servers: servers.processes },
    logFolder,
    env,
    rawTopic,
    startOurs: (more = {}) => startOurs({ env, logFolder, replicas: 1, ...more }),
    startPeer: (name) => {
      const kafka = { KAFKA_BROKERS: kafkaBrokers.join(','), KAFKA_TOPIC: peerTopic };
      return startPeer(name, { env: { ...env, ...kafka }, logFolder });
    },
    close: async () => {
      load.stop();
      await jobs.close();
      await servers.stop();
      await rm(logFolder, { recursive: true, force: true });
    },
  };
}
