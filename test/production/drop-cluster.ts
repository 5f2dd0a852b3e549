import { connectKafka } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { topics } from '@jobs-delete/proto/events';
import { deleteTopics } from '../servers/unique-topics.ts';
import type { Cluster } from './cluster.ts';
import { withDatabase } from './cluster-aftermath.ts';

/** Removes an installation from the shared servers. */
export async function dropCluster({
  databaseUrl,
  kafka: target,
}: Pick<Cluster, 'databaseUrl'> & Partial<Pick<Cluster, 'kafka'>>): Promise<void> {
  await withDatabase({ databaseUrl }, (database) => database.dropDatabase());
  if (target === undefined) return;
  const { kafka, topicName } = connectKafka(target);
  await deleteTopics(kafka, topics.map(topicName));
}
