import { connectKafka } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { topics } from '@jobs-delete/proto/events';
import type { Cluster } from './cluster.ts';
import { withDatabase } from './cluster-aftermath.ts';

/** Leaves nothing of it on servers that others share. */
export async function dropCluster({
  databaseUrl,
  kafka: target,
}: Pick<Cluster, 'databaseUrl'> & Partial<Pick<Cluster, 'kafka'>>): Promise<void> {
  await withDatabase({ databaseUrl }, (database) => database.dropDatabase());
  if (target === undefined) return;
  const { kafka, topicName } = connectKafka(target);
  const admin = kafka.admin();
  try {
    await admin.connect();
    const present = new Set(await admin.listTopics());
    await admin.deleteTopics({ topics: topics.map(topicName).filter((topic) => present.has(topic)) });
  } finally {
    await admin.disconnect();
  }
}
