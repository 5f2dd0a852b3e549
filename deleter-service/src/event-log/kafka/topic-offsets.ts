import type { Kafka } from 'kafkajs';
import { withAdmin } from './connect-kafka.ts';
import { retryWhileTransient } from './retry-while-transient.ts';

/**
 * Of each partition of the topic, once every one of them is served. The admin is another one each time: one that has
 * seen a new topic without its partitions remembers it so, and fails over and over.
 */
export function topicOffsets(kafka: Kafka, topic: string) {
  return retryWhileTransient(() => withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic)));
}
