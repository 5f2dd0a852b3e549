import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { topics } from '@jobs-delete/proto/events';
import kafkajs from 'kafkajs';

export interface TopicShape {
  readonly partitions: number;
  /** The same for every partition. */
  readonly replicas: number;
  /** min.insync.replicas of the topic. */
  readonly inSync: string | undefined;
}

/** Returns the existing topics of an installation, as the brokers describe them. */
export async function describeTopics(target: KafkaUrl): Promise<Record<string, TopicShape>> {
  const { kafka, topicName } = connectKafka(target);
  return withAdmin(kafka, async (admin) => {
    const all = new Set(await admin.listTopics());
    const present = topics.map(topicName).filter((name) => all.has(name));
    if (present.length === 0) return {};
    const metadata = await admin.fetchTopicMetadata({ topics: present });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: present.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
    });
    const inSyncOf = (topic: string) =>
      resources
        .find(({ resourceName }) => resourceName === topic)
        ?.configEntries.find(({ configName }) => configName === 'min.insync.replicas')?.configValue;
    return Object.fromEntries(
      metadata.topics.map(({ name, partitions }) => [
        name,
        {
          partitions: partitions.length,
          replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
          inSync: inSyncOf(name),
        },
      ]),
    );
  });
}
