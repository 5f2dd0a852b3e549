import { freePort } from './child-process.ts';

/** Returns whether testcontainers finds a Docker engine. */
export async function hasDocker(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

export interface ContainerServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Waits at most a minute for a primary. */
const initiate = `
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'localhost:27017' }] });
  for (let waits = 0; !db.hello().isWritablePrimary; waits++) {
    if (waits === 1200) quit(1);
    sleep(50);
  }`;

export async function startMongoContainer(): Promise<ContainerServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(
    'mongo:8.0.32@sha256:4968f22d0c6c10ef29952f3e807f62872ba22b3312f25803564fbfc08255efc2',
  )
    .withCommand([
      ...['--replSet', 'rs0', '--bind_ip_all'],
      // The data is in memory. By default the oplog would take a gigabyte.
      ...['--oplogSize', '256', '--wiredTigerCacheSizeGB', '0.25'],
    ])
    .withExposedPorts(27017)
    .withTmpFs({ '/data/db': 'rw' })
    .withWaitStrategy(Wait.forLogMessage('Waiting for connections'))
    .start();
  const stop = async () => {
    await container.stop();
  };
  try {
    const { exitCode, output } = await container.exec(['mongosh', '--quiet', '--eval', initiate]);
    if (exitCode !== 0)
      throw new Error(`the MongoDB container could not initiate its replica set:\n${output}`);
  } catch (error) {
    await stop();
    throw error;
  }
  // The member advertises its inner port, which clients can't reach. They connect directly instead.
  const address = `${container.getHost()}:${String(container.getMappedPort(27017))}`;
  return { url: `mongodb://${address}/?directConnection=true`, stop };
}

export async function startKafkaContainer(): Promise<ContainerServer> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime;
  // The broker advertises its outer port, so the port must be known before the start.
  const port = await freePort();
  const container = await new GenericContainer(
    'apache/kafka:4.2.0@sha256:9516fb7634bad307d17c33b589fde9023003b0cb761374f500002b980a3149b9',
  )
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://localhost:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${host}:${String(port)}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_HEAP_OPTS: '-Xmx512m',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start();
  return {
    url: `kafka://${host}:${String(port)}`,
    stop: async () => {
      await container.stop();
    },
  };
}
