import { topics } from '@jobs-delete/proto/events';
import kafkajs, { type Admin } from 'kafkajs';
import { withAdmin, type KafkaConnection } from './connect-kafka.ts';

/** The state of the brokers and topics, for operators. */
export interface KafkaState {
  readonly brokers: number;
  readonly missing: readonly string[];
  readonly topics: readonly TopicState[];
}

export interface TopicState {
  readonly topic: string;
  readonly partitions: number;
  /** The replication factor of the partition with the fewest replicas. */
  readonly replicas: number;
  /** In-sync replicas of the partition with the fewest. */
  readonly inSync: number;
  /** `min.insync.replicas`: with fewer in-sync replicas, publishing fails. */
  readonly minInSync: number;
  /** The number of partitions without a leader. */
  readonly withoutLeader: number;
  /** `retention.ms`; Infinity if records are kept. */
  readonly retentionMs: number;
}

/** @throws errors of kafkajs, not Faults */
export function inspectKafka({ kafka, topicName }: KafkaConnection): Promise<KafkaState> {
  return withAdmin(kafka, async (admin) => {
    const { brokers } = await admin.describeCluster();
    const existing = new Set(await admin.listTopics());
    const wanted = topics.map(topicName);
    const present = wanted.filter((name) => existing.has(name));
    return {
      brokers: brokers.length,
      missing: wanted.filter((name) => !existing.has(name)),
      topics: present.length === 0 ? [] : await inspectTopics(admin, present),
    };
  });
}

async function inspectTopics(admin: Admin, names: string[]): Promise<TopicState[]> {
  const metadata = await admin.fetchTopicMetadata({ topics: names });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  const settingOf = (topic: string, setting: string) =>
    resources
      .find(({ resourceName }) => resourceName === topic)
      ?.configEntries.find(({ configName }) => configName === setting)?.configValue;
  const retentionOf = (topic: string) => {
    const ms = Number(settingOf(topic, 'retention.ms') ?? -1);
    return ms < 0 || settingOf(topic, 'cleanup.policy') === 'compact' ? Infinity : ms;
  };
  return metadata.topics.map(({ name, partitions }) => ({
    topic: name,
    partitions: partitions.length,
    replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
    inSync: Math.min(...partitions.map(({ isr }) => isr.length)),
    minInSync: Number(settingOf(name, 'min.insync.replicas') ?? 1),
    withoutLeader: partitions.filter(({ leader }) => leader < 0).length,
    retentionMs: retentionOf(name),
  }));
}
