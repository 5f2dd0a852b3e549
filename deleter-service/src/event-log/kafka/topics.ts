import {
  deadLetterTopic,
  deletionAcceptedTopic,
  deletionCancelledTopic,
  jobsDeletedTopic,
  topics,
  type Topic,
} from '@jobs-delete/proto/events';
import kafkajs, { type Admin, type Kafka } from 'kafkajs';
import { withAdmin, type KafkaConnection, retryWhileTransient } from './connect-kafka.ts';
import type { PartitionLag } from '../event-log.ts';

export interface TopicReport {
  /** The name with the prefix. */
  readonly topic: string;
  readonly state: 'present' | 'missing';
}

export async function reportTopics({ kafka, topicName }: KafkaConnection): Promise<TopicReport[]> {
  const present = new Set(await withAdmin(kafka, (admin) => admin.listTopics()));
  return topics.map(topicName).map((topic) => ({ topic, state: present.has(topic) ? 'present' : 'missing' }));
}

export interface CreateTopicsOptions {
  readonly partitions: number;
  readonly replicationFactor: number;
}

const weekMs = '604800000';
const settings: Record<Topic, { name: string; value: string }[]> = {
  [deletionAcceptedTopic]: [{ name: 'retention.ms', value: weekMs }],
  [deletionCancelledTopic]: [{ name: 'retention.ms', value: weekMs }],
  [jobsDeletedTopic]: [{ name: 'retention.ms', value: weekMs }],
  [deadLetterTopic]: [
    { name: 'cleanup.policy', value: 'compact' },
    // Twice the default: a letter is the largest possible message, with more headers.
    { name: 'max.message.bytes', value: '2097152' },
  ],
};

/**
 * Creates the missing topics and leaves existing ones unchanged. Other processes may do the same concurrently. Waits up to
 * 30 s for a cluster that is starting.
 */
export async function createTopics(
  { kafka, topicName }: KafkaConnection,
  { partitions, replicationFactor }: CreateTopicsOptions,
): Promise<void> {
  // `acks: all` waits for the in-sync replicas. With three or more replicas, at least two must be in sync.
  const durable = { name: 'min.insync.replicas', value: replicationFactor > 2 ? '2' : '1' };
  const createMissing = async (admin: Admin) => {
    const present = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !present.has(topicName(topic)));
    if (missing.length === 0) return;
    await admin.createTopics({
      waitForLeaders: false,
      topics: missing.map((topic) => ({
        topic: topicName(topic),
        numPartitions: topic === deadLetterTopic ? 1 : partitions,
        replicationFactor,
        configEntries: [...settings[topic], durable],
      })),
    });
  };
  await retryWhileTransient(() => withAdmin(kafka, createMissing));
  for (const topic of topics) await topicOffsets(kafka, topicName(topic));
}

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

/** Returns the distance from the group's committed offsets to the ends of the partitions. Names include the prefix. */
export function measureLag(kafka: Kafka, topic: string, groupId: string): Promise<PartitionLag[]> {
  return withAdmin(kafka, async (admin) => {
    const [ends, committed] = await Promise.all([
      admin.fetchTopicOffsets(topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
    ]);
    const offsets = new Map(
      committed.flatMap(({ partitions }) => partitions.map(({ partition, offset }) => [partition, offset])),
    );
    return ends.map(({ partition, low, high }) => {
      // -1: the group has committed no offset. Events that retention has deleted do not count.
      const processed = Math.max(Number(offsets.get(partition) ?? -1), Number(low));
      return { partition, events: Math.max(0, Number(high) - processed), processed };
    });
  });
}

/**
 * Returns the offsets of all partitions, once each has a leader. Each attempt uses a new admin: an admin that saw a new
 * topic without partitions caches that and fails again.
 */
export function topicOffsets(kafka: Kafka, topic: string) {
  return retryWhileTransient(() => withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic)));
}
