import { withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import type { Kafka } from 'kafkajs';

/** Deletes the topics. Ignores those that do not exist. */
export async function deleteTopics(kafka: Kafka, names: readonly string[]): Promise<void> {
  await withAdmin(kafka, async (admin) => {
    const present = new Set(await admin.listTopics());
    await admin.deleteTopics({ topics: names.filter((name) => present.has(name)) });
  });
}
