import {
  deadLetterTopic,
  deletionAcceptedTopic,
  deletionCancelledTopic,
  jobsDeletedTopic,
  topics,
  type Topic,
} from '@jobs-delete/proto/events';
import type { Admin } from 'kafkajs';
import { withAdmin, type KafkaConnection } from './connect-kafka.ts';
import { topicOffsets } from './measure-lag.ts';
import { retryWhileTransient } from './retry-while-transient.ts';

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
