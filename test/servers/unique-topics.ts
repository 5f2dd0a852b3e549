import { randomBytes } from 'node:crypto';
import { connectKafka } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { createTopics } from '@jobs-delete/deleter-service/event-log/kafka/topics';
import { topics } from '@jobs-delete/proto/events';
import { type KafkaUrl, parseKafkaUrl } from '@jobs-delete/runtime/storage-url';

export interface KafkaTargets {
  /** With topics of its own, which are empty. */
  create(): Promise<KafkaUrl>;
  /** With a prefix of its own, but without topics. */
  createBare(): KafkaUrl;
  removeAll(): Promise<void>;
}

/** Parts of one cluster, told apart by their prefix: suites and runs share it. */
export function kafkaTargets(url: string): KafkaTargets {
  const parsed = parseKafkaUrl(url);
  const created: KafkaUrl[] = [];

  const createBare = () => {
    if (parsed === undefined) throw new Error(`not a Kafka URL: ${url}`);
    const target = { ...parsed, prefix: `test-${randomBytes(6).toString('hex')}.` };
    created.push(target);
    return target;
  };
  return {
    createBare,
    create: async () => {
      const target = createBare();
      await createTopics(connectKafka(target), { partitions: 3, replicationFactor: 1 });
      return target;
    },
    removeAll: async () => {
      const [first] = created;
      if (first === undefined) return;
      const admin = connectKafka(first).kafka.admin();
      await admin.connect();
      try {
        const present = new Set(await admin.listTopics());
        const ours = created.flatMap((target) => topics.map(connectKafka(target).topicName));
        await admin.deleteTopics({ topics: ours.filter((topic) => present.has(topic)) });
      } finally {
        await admin.disconnect();
      }
    },
  };
}
