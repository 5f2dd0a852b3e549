import { execFile } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAccount } from '@jobs-delete/accounts/accounts';
import { type Issuance, issueCredential } from '@jobs-delete/accounts/credentials/credential';
import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { Kafka, logLevel } from 'kafkajs';
import { freePort } from '../servers/child-process.ts';
import { openLine, type Line } from '../servers/line.ts';
import { startKafka } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import type { Cell } from './cells.ts';
import { rootFolder } from './folders.ts';
import { openMongoJobs, type MongoJobs } from './jobs.ts';
import { startLoad } from './load/load.ts';
import type { RunSettings } from './run-cell.ts';
import {
  startOurs,
  startPeer,
  type Caller,
  type OursOptions,
  type PeerName,
  type System,
} from './systems.ts';

export interface BenchOptions {
  readonly cells: readonly Cell[];
  readonly rounds: number;
  /** Seconds of sending per run. The removal may take longer. */
  readonly seconds: number;
  /** Jobs in the collection that no run deletes. */
  readonly jobs: number;
  readonly mostJobs: number;
  readonly systems: readonly string[];
  readonly raw: boolean;
  readonly embedded: boolean;
}

/** Servers of this run only, an account, jobs and the load generator, shared by all runs. */
export interface Bench {
  readonly databaseUrl: string;
  readonly mongo: MongoServers;
  readonly mongodPid: number;
  readonly kafkaBrokers: readonly string[];
  /** Network line to the broker, if a part will be sick. */
  readonly kafkaLine: Line | undefined;
  readonly settings: RunSettings & { readonly jobs: MongoJobs };
  readonly logFolder: string;
  /** Kafka topic for the raw limits. */
  readonly rawTopic: string;
  startOurs(options?: Partial<OursOptions>): Promise<System>;
  startPeer(name: PeerName): Promise<System>;
  close(): Promise<void>;
}

export const pepper = 'pepper-of-the-bench-0123456789-0123456789';
const rawTopic = 'bench-raw';
const peerTopic = 'bench-peer';

/** Starts MongoDB and Kafka. With `sick`, MongoDB has three members, and a line leads to the broker. */
export async function openBench({ seconds, mostJobs }: BenchOptions, sick: boolean): Promise<Bench> {
  const logFolder = await mkdtemp(join(tmpdir(), 'jobs-delete-bench-'));
  const port = await freePort();
  const kafkaLine = sick ? await openLine({ port }) : undefined;
  const mongo = await startMongo({ asItComes: true, members: sick ? 3 : 1 });
  const kafka = await startKafka({ port, advertisedPort: kafkaLine?.port ?? port });
  const databaseUrl = mongo.url.replace('/?', '/jobs-delete?');
  const env = {
    DATABASE_URL: databaseUrl,
    EVENT_LOG_URL: `kafka://${kafka.brokers.join(',')}`,
    CREDENTIAL_PEPPER: pepper,
    GRPC_SERVICE_TOKENS: 'service-token-of-the-bench-0123456789',
  };
  await jobsDelete(['indexes', 'create'], env);
  await jobsDelete(['topics', 'create', '--partitions', '4'], env);
  await createTopics(kafka.brokers, [rawTopic, peerTopic]);
  const caller = await createCaller(env);
  const jobs = await openMongoJobs(databaseUrl, caller.accountId);
  const load = startLoad();
  const mongodPid = mongo.members[0]?.pid() ?? 0;
  const servers = [
    { name: 'mongod', pid: mongodPid },
    { name: 'Kafka', pid: kafka.pid() },
  ];
  return {
    databaseUrl,
    mongo,
    mongodPid,
    kafkaBrokers: kafka.brokers,
    kafkaLine,
    settings: { caller, load, jobs, seconds, mostJobs, servers },
    logFolder,
    rawTopic,
    startOurs: (more = {}) => startOurs({ env, logFolder, replicas: 1, ...more }),
    startPeer: (name) => {
      const ofPeer = { KAFKA_BROKERS: kafka.brokers.join(','), KAFKA_TOPIC: peerTopic };
      return startPeer(name, { env: { ...env, ...ofPeer }, logFolder });
    },
    close: async () => {
      load.stop();
      await jobs.close();
      await Promise.all([mongo.stop(), kafka.stop(), kafkaLine?.close()]);
      await rm(logFolder, { recursive: true, force: true });
    },
  };
}

async function createTopics(brokers: readonly string[], topics: readonly string[]): Promise<void> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: topics.map((topic) => ({ topic, numPartitions: 4 })),
  });
  await admin.disconnect();
}

/** Runs the `jobs-delete` command, like an operator. */
async function jobsDelete(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(rootFolder, 'cli/bin/jobs-delete.js'), ...args, '--json'],
    { env: { PATH: process.env.PATH, ...env } },
  );
  return JSON.parse(stdout) as Record<string, string>;
}

const origin = 'https://bench.example';

/** Creates an account that may call. Peers on the same database use the same credentials. */
export async function createCaller(env: NodeJS.ProcessEnv): Promise<Caller> {
  const accountId = 'bench';
  await jobsDelete(['accounts', 'create', accountId], env);
  await jobsDelete(['origins', 'allow', origin, '--account', accountId], env);
  const { token = '' } = await jobsDelete(['tokens', 'issue', '--account', accountId], env);
  const { secret_key: secretKey = '' } = await jobsDelete(['secrets', 'issue', '--account', accountId], env);
  return { accountId, token, secretKey, origin };
}

/** Creates many accounts in this process: the command would take a second for each. */
export async function createCallers(databaseUrl: string, count: number): Promise<Caller[]> {
  const accounts = await openAccounts({ kind: 'mongodb', url: databaseUrl });
  const key = createSecretKey(Buffer.from(pepper));
  const textOf = (issued: Issuance) => (issued.kind === 'issued' ? issued.text : '');
  const create = async (index: number): Promise<Caller> => {
    const accountId = `neighbour-${String(index)}`;
    await createAccount(accounts, { id: accountId }, Date.now);
    await accounts.allowDomain(accountId, origin);
    const token = textOf(await issueCredential(accounts, key, { kind: 'token', accountId }, Date.now));
    const secretKey = textOf(
      await issueCredential(accounts, key, { kind: 'secret-key', accountId }, Date.now),
    );
    return { accountId, token, secretKey, origin };
  };
  try {
    const callers: Caller[] = [];
    while (callers.length < count) {
      const some = Math.min(50, count - callers.length);
      callers.push(
        ...(await Promise.all(Array.from({ length: some }, (_, index) => create(callers.length + index)))),
      );
    }
    return callers;
  } finally {
    await accounts.close();
  }
}
