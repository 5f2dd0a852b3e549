import type { Kafka } from 'kafkajs';
import { withAdmin } from './connect-kafka.ts';
import { retryWhileTransient } from './retry-while-transient.ts';

/**
 * Returns the offsets of all partitions, once each has a leader. Each attempt uses a new admin: an admin that saw a new
 * topic without partitions caches that and fails again.
 */
export function topicOffsets(kafka: Kafka, topic: string) {
  return retryWhileTransient(() => withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic)));
}
