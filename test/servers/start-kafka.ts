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
  /** `host:port` each. */
  readonly brokers: readonly string[];
  /** As a power cut does. */
  kill(): Promise<void>;
  /** On the same data and port. */
  restart(): Promise<void>;
  /** Stops answering without closing anything, until resumed. */
  freeze(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** A broker of this process's own, on loopback and in a folder that goes with it. */
export async function startKafka(): Promise<KafkaServer> {
  const classPath = await kafkaClassPath();
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-kafka-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const port = await freePort();
  const propertiesFile = join(folder, 'server.properties');
  const java = (mainClass: string) => ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-cp', classPath, mainClass];

  const start = () =>
    startServer({
      name: `Kafka on port ${String(port)}`,
      file: 'java',
      args: [...java('kafka.Kafka'), propertiesFile],
      outputFile: join(folder, 'kafka.log'),
      isReady: () => isReady(port),
    });
  let server: ServerProcess;
  try {
    mkdirSync(join(folder, 'data'));
    writeFileSync(propertiesFile, properties(join(folder, 'data'), port, await freePort()));
    const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
      .toString('base64url')
      .replace(/^-/, 'A');
    await runCommand('java', [
      ...java('kafka.tools.StorageTool'),
      'format',
      '-t',
      clusterId,
      '-c',
      propertiesFile,
    ]);
    server = await start();
  } catch (error) {
    await removeFolder();
    throw error;
  }
  return {
    brokers: [`127.0.0.1:${String(port)}`],
    kill: () => server.kill(),
    restart: async () => {
      await server.kill();
      server = await start();
    },
    freeze: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    stop: async () => {
      await server.kill();
      await removeFolder();
    },
  };
}

/** One node that is broker and controller; a killed one may register again after 3 s rather than 9. */
function properties(dataFolder: string, port: number, controllerPort: number): string {
  const controller = `127.0.0.1:${String(controllerPort)}`;
  const entries = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${String(port)},CONTROLLER://${controller}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': dataFolder,
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
