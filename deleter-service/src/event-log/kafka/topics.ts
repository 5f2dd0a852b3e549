import {
  deadLetterTopic,
  deletionAcceptedTopic,
  jobDeletedTopic,
  topics,
  type Topic,
} from '@jobs-delete/proto/events';
import type { Admin } from 'kafkajs';
import { withAdmin, type KafkaConnection } from './connect-kafka.ts';
import { topicOffsets } from './topic-offsets.ts';
import { retryWhileTransient } from './retry-while-transient.ts';

export interface TopicReport {
  /** Its full name. */
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
  [jobDeletedTopic]: [{ name: 'retention.ms', value: weekMs }],
  [deadLetterTopic]: [
    { name: 'cleanup.policy', value: 'compact' },
    // The original of a letter may be as large as a message can be, and its reason comes on top.
    { name: 'max.message.bytes', value: '2097152' },
  ],
};

/**
 * Creates what is missing; what is there stays as it is. Harmless where another process does the same.
 * A cluster that is only just starting is waited for, as one that lacks a broker for the replicas may be.
 */
export async function createTopics(
  { kafka, topicName }: KafkaConnection,
  { partitions, replicationFactor }: CreateTopicsOptions,
): Promise<void> {
  // `acks: all` means the replicas in sync: of three or more, two have to have what is acknowledged.
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
