import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Scene } from '../durability/scene.ts';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { createCluster, setClusterScene, type Cluster } from '../production/cluster.ts';
import { root } from '../readme/readme.ts';
import { openLine, type Line } from '../servers/line.ts';
import { debianProgram } from '../servers/programs.ts';
import { startKafka, type KafkaServer } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';

/** A line from a process to one of its servers, such as from `gateway 1` to `api 2`. */
export interface Wire {
  readonly from: string;
  readonly to: string;
  readonly line: Line;
}

/** A cluster whose every connection between two processes is a line, except among the members of MongoDB. */
export interface Site {
  readonly cluster: Cluster;
  readonly mongo: MongoServers;
  readonly kafka: KafkaServer;
  readonly wires: readonly Wire[];
  readonly scene: Scene;
  /** Makes the clock of a process wrong by so much. */
  setClock(name: string, errorMs: number): void;
  stop(): Promise<void>;
}

const preload = pathToFileURL(join(root, 'test/chaos/preload.js')).href;
/** Accounts of small requests, and of large ones. Each has one caller. */
export const smallAccounts = 36;
const bulkAccounts = 4;

export async function startSite(): Promise<Site> {
  await debianProgram({ name: 'strace', packages: ['strace'] });
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-chaos-'));
  const [mongo, kafka] = await Promise.all([startMongo({ members: 3 }), startKafka()]);
  const wires: Wire[] = [];
  const wire = async (from: string, to: string, port: number) => {
    const line = await openLine({ port });
    wires.push({ from, to, line });
    return [port, line.port] as const;
  };
  const clockFile = (name: string) => join(folder, name);
  const setClock = (name: string, errorMs: number) => {
    writeFileSync(`${clockFile(name)}.new`, String(errorMs));
    // Atomic for readers.
    renameSync(`${clockFile(name)}.new`, clockFile(name));
  };
  const cluster = await createCluster({
    mongodbUrl: mongo.url,
    kafkaUrl: `kafka://${kafka.brokers.join(',')}`,
    replicas: { gateway: 2, api: 2, relay: 1, worker: 1 },
    envOf: async (name, apiPorts) => {
      const servers = [
        ...mongo.members.map(({ port }, index) => ({ to: `mongod ${String(index + 1)}`, port })),
        ...apiPorts.map((port, index) => ({ to: `api ${String(index + 1)}`, port })),
        { to: 'kafka', port: Number(kafka.brokers[0]?.split(':')[1]) },
      ];
      const lines = await Promise.all(servers.map(({ to, port }) => wire(name, to, port)));
      setClock(name, 0);
      return {
        NODE_OPTIONS: `--import=${preload}`,
        LINES: JSON.stringify(Object.fromEntries(lines)),
        CLOCK_FILE: clockFile(name),
      };
    },
  });
  const names = (prefix: string, count: number, jobs: number) =>
    Array.from({ length: count }, (_, index) => [`${prefix}${String(index)}`, jobs] as const);
  const accounts = [...names('Small', smallAccounts, 1_500), ...names('Bulk', bulkAccounts, 9_000)];
  const scene = await setClusterScene(cluster, Object.fromEntries(accounts));
  await cluster.startAll();
  return {
    cluster,
    mongo,
    kafka,
    wires,
    scene,
    setClock,
    stop: async () => {
      await reapReplicas();
      await Promise.all([mongo.stop(), kafka.stop(), ...wires.map(({ line }) => line.close())]);
      await rm(folder, { recursive: true });
    },
  };
}
