import type { Kafka } from 'kafkajs';
import type { PartitionLag } from '../event-log.ts';
import { withAdmin } from './connect-kafka.ts';
import { retryWhileTransient } from './retry-while-transient.ts';

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
