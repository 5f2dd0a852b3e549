import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { cachedFolder } from './programs.ts';
import { freePort, runCommand, type ServerProcess, startServer } from './child-process.ts';

export interface KafkaServer {
  /** Addresses as `host:port`. */
  readonly brokers: readonly string[];
  /** The folder of all brokers' data. */
  readonly folder: string;
  /** The first broker's current process. */
  pid(): number;
  /** Sends SIGKILL to all brokers. */
  kill(): Promise<void>;
  /** Kills and starts all brokers, with the same data and ports. */
  restart(): Promise<void>;
  /** Sends SIGSTOP to all brokers, or to those of these addresses: connections stay open without answers. */
  freeze(addresses?: readonly string[]): void;
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
  /** Passwords by user. The brokers then require SASL/PLAIN, and allow only `admin` everything. Only for one broker. */
  readonly users?: Readonly<Record<string, string>>;
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
      const { users } = options;
      const node = {
        nodeId,
        folder: join(folder, String(nodeId)),
        port,
        advertisedPort,
        controllerPort,
        users,
      };
      brokers.push(await startBroker(classPath, clusterId, node));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    brokers: brokers.map(({ port }) => `127.0.0.1:${String(port)}`),
    folder,
    pid: () => brokers[0]?.pid ?? 0,
    kill: () => ofAll((broker) => broker.kill()),
    restart: () => ofAll((broker) => broker.restart()),
    freeze: (addresses) =>
      brokers
        .filter(({ port }) => addresses?.includes(`127.0.0.1:${String(port)}`) ?? true)
        .forEach((broker) => broker.signal('SIGSTOP')),
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
  readonly users: StartKafkaOptions['users'];
}

interface Broker extends ServerProcess {
  readonly port: number;
  restart(): Promise<void>;
}

async function startBroker(classPath: string, clusterId: string, node: Node): Promise<Broker> {
  const { folder, port, users } = node;
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
      isReady: () => isReady(port, users),
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
function properties({ nodeId, folder, port, advertisedPort, controllerPort, users }: Node): string {
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
    ...(users && authorization(users)),
  };
  return Object.entries(entries)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** The listener keeps its name. The controller connects without a name, which is no caller's. */
function authorization(users: Readonly<Record<string, string>>): Record<string, string> {
  const passwords = Object.entries(users).map(([name, password]) => `user_${name}="${password}"`);
  const own = `username="admin" password="${users.admin ?? ''}"`;
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule';
  return {
    'listener.security.protocol.map': 'PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.name.plaintext.plain.sasl.jaas.config': `${login} required ${own} ${passwords.join(' ')};`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:admin;User:ANONYMOUS',
  };
}

async function isReady(port: number, users: StartKafkaOptions['users']): Promise<boolean> {
  const kafka = new Kafka({
    brokers: [`127.0.0.1:${String(port)}`],
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    retry: { retries: 0 },
    ...(users && { sasl: { mechanism: 'plain' as const, username: 'admin', password: users.admin ?? '' } }),
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

const version = '4.2.0';

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>jobs-delete</groupId>
  <artifactId>test-kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;

/** Returns the class path of a Kafka broker. Downloads it at first use. Throws if Java or Maven is missing. */
export async function kafkaClassPath(): Promise<string> {
  await runCommand('java', ['-version']);
  return join(await cachedFolder(`kafka-${version}`, download), '*');
}

async function download(folder: string): Promise<void> {
  const pomFile = join(folder, 'pom.xml');
  await writeFile(pomFile, pom);
  await runCommand('mvn', [
    ...['--batch-mode', '--quiet', '--file', pomFile],
    ...['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`],
  ]);
  await rm(pomFile);
}
