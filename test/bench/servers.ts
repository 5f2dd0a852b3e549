import { Kafka, logLevel } from 'kafkajs';
import { startKafka } from '../servers/start-kafka.ts';
import { startMongo } from '../servers/start-mongo.ts';

/** Of this run alone; both end with it. */
export interface BenchServers {
  readonly databaseUrl: string;
  readonly kafkaBrokers: readonly string[];
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  createTopic(topic: string, partitions: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startServers(cacheGb?: number): Promise<BenchServers> {
  // A set of one member.
  const mongo = await startMongo({ asItComes: true, cacheGb });
  try {
    const kafka = await startKafka();
    const [member] = mongo.members;
    return {
      databaseUrl: mongo.url.replace('/?', '/jobs-delete?'),
      kafkaBrokers: kafka.brokers,
      processes: [
        { name: 'mongod', pid: member?.pid() ?? 0 },
        { name: 'Kafka', pid: kafka.pid() },
      ],
      createTopic: (topic, partitions) => createTopic(kafka.brokers, topic, partitions),
      stop: async () => {
        await Promise.all([mongo.stop(), kafka.stop()]);
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
