import { topics } from '@jobs-delete/proto/events';
import kafkajs from 'kafkajs';
import { withAdmin, type KafkaConnection } from './connect-kafka.ts';

/** What an operator has to know of the brokers, and of the topics that are there. */
export interface KafkaState {
  readonly brokers: number;
  readonly missing: readonly string[];
  readonly topics: readonly TopicState[];
}

export interface TopicState {
  readonly topic: string;
  readonly partitions: number;
  /** Of the partition that has the fewest. */
  readonly replicas: number;
  /** How many of them are in sync, in the partition that has the fewest. */
  readonly inSync: number;
  /** `min.insync.replicas`: with fewer, nothing can be published. */
  readonly minInSync: number;
  /** How many partitions nobody serves. */
  readonly withoutLeader: number;
}

/** @throws whatever the library does */
export function inspectKafka({ kafka, topicName }: KafkaConnection): Promise<KafkaState> {
  return withAdmin(kafka, async (admin) => {
    const { brokers } = await admin.describeCluster();
    const all = new Set(await admin.listTopics());
    const wanted = topics.map(topicName);
    const present = wanted.filter((name) => all.has(name));
    const missing = wanted.filter((name) => !all.has(name));
    if (present.length === 0) return { brokers: brokers.length, missing, topics: [] };
    const metadata = await admin.fetchTopicMetadata({ topics: present });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: present.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
    });
    const minInSyncOf = (topic: string) => {
      const entries = resources.find(({ resourceName }) => resourceName === topic)?.configEntries;
      return Number(
        entries?.find(({ configName }) => configName === 'min.insync.replicas')?.configValue ?? 1,
      );
    };
    return {
      brokers: brokers.length,
      missing,
      topics: metadata.topics.map(({ name, partitions }) => ({
        topic: name,
        partitions: partitions.length,
        replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        inSync: Math.min(...partitions.map(({ isr }) => isr.length)),
        minInSync: minInSyncOf(name),
        withoutLeader: partitions.filter(({ leader }) => leader < 0).length,
      })),
    };
  });
}
