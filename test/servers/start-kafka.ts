import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { freePort } from './free-port.ts';
import { kafkaClassPath } from './kafka-libraries.ts';
import { runCommand } from './run-command.ts';
import { startServer, type ServerProcess } from './server-process.ts';

export interface KafkaServer {
  /** Addresses as `host:port`. */
  readonly brokers: readonly string[];
  /** The first broker's current process. */
  pid(): number;
  /** Sends SIGKILL to all brokers. */
  kill(): Promise<void>;
  /** Kills and starts all brokers, with the same data and ports. */
  restart(): Promise<void>;
  /** Sends SIGSTOP: connections stay open without answers. */
  freeze(): void;
  resume(): void;
  stop(): Promise<void>;
}

export interface StartKafkaOptions {
  /** The number of brokers. The first is also the controller. Default: 1. */
  readonly brokers?: number;
  /** The first broker's port. Default: any free port. */
  readonly port?: number;
  /** The port that the first broker advertises. Default: its own. */
  readonly advertisedPort?: number;
}

/** Starts Kafka brokers on loopback, in a temporary folder. */
export async function startKafka(options: StartKafkaOptions = {}): Promise<KafkaServer> {
  const { brokers: count = 1 } = options;
  const classPath = await kafkaClassPath();
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-kafka-'));
  const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
    .toString('base64url')
    .replace(/^-/, 'A');
  const controllerPort = await freePort();
  const brokers: Broker[] = [];
  const ofAll = async (act: (broker: Broker) => Promise<void>) => {
    await Promise.all(brokers.map(act));
  };
  const stop = async () => {
    await ofAll((broker) => broker.kill());
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    for (let nodeId = 1; nodeId <= count; nodeId++) {
      const own = nodeId === 1 ? options : {};
      const port = own.port ?? (await freePort());
      const { advertisedPort = port } = own;
      const node = { nodeId, folder: join(folder, String(nodeId)), port, advertisedPort, controllerPort };
      brokers.push(await startBroker(classPath, clusterId, node));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    brokers: brokers.map(({ port }) => `127.0.0.1:${String(port)}`),
    pid: () => brokers[0]?.pid ?? 0,
    kill: () => ofAll((broker) => broker.kill()),
    restart: () => ofAll((broker) => broker.restart()),
    freeze: () => brokers.forEach((broker) => broker.signal('SIGSTOP')),
    resume: () => brokers.forEach((broker) => broker.signal('SIGCONT')),
    stop,
  };
}

interface Node {
  readonly nodeId: number;
  readonly folder: string;
  readonly port: number;
  readonly advertisedPort: number;
  readonly controllerPort: number;
}

interface Broker extends ServerProcess {
  readonly port: number;
  restart(): Promise<void>;
}

async function startBroker(classPath: string, clusterId: string, node: Node): Promise<Broker> {
  const { folder, port } = node;
  const propertiesFile = join(folder, 'server.properties');
  const java = (mainClass: string) => ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-cp', classPath, mainClass];
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(propertiesFile, properties(node));
  await runCommand('java', [
    ...java('kafka.tools.StorageTool'),
    ...['format', '-t', clusterId, '-c', propertiesFile],
  ]);
  const start = () =>
    startServer({
      name: `Kafka on port ${String(port)}`,
      file: 'java',
      args: [...java('kafka.Kafka'), propertiesFile],
      outputFile: join(folder, 'kafka.log'),
      isReady: () => isReady(port),
    });
  let server = await start();
  return {
    port,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    restart: async () => {
      await server.kill();
      server = await start();
    },
    signal: (signal) => server.signal(signal),
  };
}

/** A killed broker may register again after 3 s instead of 9 s. */
function properties({ nodeId, folder, port, advertisedPort, controllerPort }: Node): string {
  const isController = nodeId === 1;
  const controller = `127.0.0.1:${String(controllerPort)}`;
  const entries = {
    'process.roles': isController ? 'broker,controller' : 'broker',
    'node.id': String(nodeId),
    'controller.quorum.voters': `1@${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${String(port)}${isController ? `,CONTROLLER://${controller}` : ''}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${String(advertisedPort)}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': join(folder, 'data'),
    'auto.create.topics.enable': 'false',
    'broker.heartbeat.interval.ms': '500',
    'broker.session.timeout.ms': '3000',
    'group.initial.rebalance.delay.ms': '0',
    'offsets.topic.num.partitions': '4',
    'offsets.topic.replication.factor': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
  };
  return Object.entries(entries)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

async function isReady(port: number): Promise<boolean> {
  const kafka = new Kafka({
    brokers: [`127.0.0.1:${String(port)}`],
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } finally {
    await admin.disconnect();
  }
}
