import { Kafka, logLevel } from 'kafkajs';
import { freePort } from '../servers/free-port.ts';
import { openLine, type Line } from '../servers/line.ts';
import { startKafka } from '../servers/start-kafka.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import type { BenchOptions } from './options.ts';

/** Servers of this run only. They stop with it. */
export interface BenchServers {
  readonly databaseUrl: string;
  readonly mongo: MongoServers;
  readonly kafkaBrokers: readonly string[];
  /** Network line to the broker. Undefined without `--sick`. */
  readonly kafkaLine: Line | undefined;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  createTopic(topic: string, partitions: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one MongoDB member, or three where a part will be sick, and a Kafka broker. */
export async function startServers({ cacheGb, sick }: BenchOptions): Promise<BenchServers> {
  const mongo = await startMongo({ asItComes: true, cacheGb, members: sick ? 3 : 1 });
  try {
    const port = await freePort();
    const kafkaLine = sick ? await openLine({ port }) : undefined;
    const kafka = await startKafka({ port, advertisedPort: kafkaLine?.port ?? port });
    return {
      databaseUrl: mongo.url.replace('/?', '/jobs-delete?'),
      mongo,
      kafkaBrokers: kafka.brokers,
      kafkaLine,
      processes: [
        { name: 'mongod', pid: mongo.members[0]?.pid() ?? 0 },
        { name: 'Kafka', pid: kafka.pid() },
      ],
      createTopic: (topic, partitions) => createTopic(kafka.brokers, topic, partitions),
      stop: async () => {
        await Promise.all([mongo.stop(), kafka.stop(), kafkaLine?.close()]);
      },
    };
  } catch (error) {
    await mongo.stop();
    throw error;
  }
}

async function createTopic(brokers: readonly string[], topic: string, numPartitions: number): Promise<void> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions }] });
  } finally {
    await admin.disconnect();
  }
}
