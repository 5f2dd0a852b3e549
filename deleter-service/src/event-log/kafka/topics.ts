import {
  deadLetterTopic,
  deletionAcceptedTopic,
  jobDeletedTopic,
  topics,
  type Topic,
} from '@jobs-delete/proto/events';
import type { Admin } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import type { KafkaConnection } from './connect-kafka.ts';

export interface TopicReport {
  /** Its full name. */
  readonly topic: string;
  readonly state: 'present' | 'missing';
}

export async function reportTopics({ kafka, topicName }: KafkaConnection): Promise<TopicReport[]> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const present = new Set(await admin.listTopics());
    return topics
      .map(topicName)
      .map((topic) => ({ topic, state: present.has(topic) ? 'present' : 'missing' }));
  } finally {
    await admin.disconnect();
  }
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

/** Creates what is missing; what is there stays as it is. Harmless where another process does the same. */
export async function createTopics(
  { kafka, topicName }: KafkaConnection,
  { partitions, replicationFactor }: CreateTopicsOptions,
): Promise<void> {
  // `acks: all` means the replicas in sync: of three or more, two have to have what is acknowledged.
  const durable = { name: 'min.insync.replicas', value: replicationFactor > 2 ? '2' : '1' };
  const admin = kafka.admin();
  try {
    await admin.connect();
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
    await untilServed(admin, topics.map(topicName));
  } finally {
    await admin.disconnect();
  }
}

/** The controller knows a topic before the brokers do, and a broker before it leads it: they are asked until they do. */
async function untilServed(admin: Admin, names: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await Promise.all(names.map((name) => admin.fetchTopicOffsets(name)));
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await delay(100);
    }
  }
}
