import type { Kafka } from 'kafkajs';
import { withAdmin } from './connect-kafka.ts';

/** From the offsets that the group has committed to the ends of the partitions. Names are full ones. */
export function measureLag(kafka: Kafka, topic: string, groupId: string): Promise<number> {
  return withAdmin(kafka, async (admin) => {
    const [ends, committed] = await Promise.all([
      admin.fetchTopicOffsets(topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
    ]);
    const offsets = new Map(
      committed.flatMap(({ partitions }) => partitions.map(({ partition, offset }) => [partition, offset])),
    );
    return ends.reduce((sum, { partition, low, high }) => {
      // -1: the group has committed nothing there yet. What retention took away is not waited for.
      const from = Math.max(Number(offsets.get(partition) ?? -1), Number(low));
      return sum + Math.max(0, Number(high) - from);
    }, 0);
  });
}
