import { removalGroup } from '@jobs-delete/deleter-service/deletion/remove-jobs';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { readTopic } from '@jobs-delete/deleter-service/event-log/kafka/dead-letters';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import {
  type DeletionDocument,
  type JobDocument,
  readDeletionDocument,
} from '@jobs-delete/deleter-service/store/mongo/collections';
import {
  deadLetterTopic,
  deletionAcceptedTopic,
  deletionCancelledTopic,
  jobsDeletedTopic,
  type DeletionCancelledData,
  type JobsDeletedData,
  type Topic,
  topics,
} from '@jobs-delete/proto/events';
import { mongo } from 'mongoose';
import type { Aftermath, JobLeft, Removal } from '../durability/aftermath.ts';
import { until } from '../harness/until.ts';
import { deleteTopics } from '../servers/unique-storage.ts';
import type { Cluster } from './cluster.ts';

/** The storage of the services. */
export type Stored = Pick<Cluster, 'databaseUrl' | 'kafka'>;

/** Reads the records of the servers directly, without those of some deletions. */
export async function readClusterAftermath(
  cluster: Stored,
  without: ReadonlySet<string> = new Set(),
): Promise<Aftermath> {
  const stored = await withDatabase(cluster, async (database) => ({
    deletions: await readDeletions(database),
    jobs: await readJobs(database),
  }));
  const letters = new Map<string, boolean>();
  for (const { event, tombstone } of await readTopicOf(cluster, deadLetterTopic))
    letters.set(event.key, tombstone);
  return {
    ...stored,
    deletions: stored.deletions.filter(({ id }) => !without.has(id)),
    removals: (await readRemovals(cluster)).filter(({ deletion_id }) => !without.has(deletion_id)),
    cancelled: await readCancelled(cluster),
    deadLetters: [...letters.values()].filter((discarded) => !discarded).length,
  };
}

async function readDeletions(database: mongo.Db): Promise<Deletion[]> {
  const documents = await database.collection<DeletionDocument>('deletions').find().toArray();
  return documents.map(readDeletionDocument);
}

/** Only the deletion with its claim marks a posting. */
async function readJobs(database: mongo.Db): Promise<JobLeft[]> {
  const jobs = await database
    .collection<JobDocument>('jobs')
    .find({}, { projection: { posting: 0 } })
    .toArray();
  return jobs.map((job) => ({ accountId: String(job.account_id), jobId: String(job.id), claimedBy: null }));
}

export async function readRemovals(cluster: Stored): Promise<Removal[]> {
  return (await readTopicOf(cluster, jobsDeletedTopic)).map(({ event }) => ({
    key: event.key,
    eventId: event.headers.ce_id ?? '',
    ...(JSON.parse(event.value.toString('utf8')) as JobsDeletedData),
  }));
}

async function readCancelled(cluster: Stored): Promise<string[]> {
  return (await readTopicOf(cluster, deletionCancelledTopic)).map(
    ({ event }) => (JSON.parse(event.value.toString('utf8')) as DeletionCancelledData).deletion_id,
  );
}

/** Reads the topic from its beginning. */
export function readTopicOf({ kafka: target }: Pick<Stored, 'kafka'>, topic: Topic) {
  const { kafka, topicName, groupName } = connectKafka(target);
  return readTopic(kafka, topicName(topic), groupName('test-auditor'));
}

/** Resolves when every deletion is completed, or cancelled and announced, and every event is processed. The services run meanwhile. */
export async function untilClusterSettled(cluster: Stored): Promise<void> {
  let progress = '';
  const isSettled = async (deletions: mongo.Collection<DeletionDocument>) => {
    const unfinished = await deletions.countDocuments({ due_at: { $exists: true } });
    progress = `${String(unfinished)} deletions are unfinished`;
    if (unfinished > 0) return false;
    const lag = await removalLag(cluster);
    progress = `${String(lag)} events are unprocessed`;
    return lag === 0;
  };
  await withDatabase(cluster, async (database) => {
    const deletions = database.collection<DeletionDocument>('deletions');
    const ask = () => isSettled(deletions).catch((error: unknown) => void (progress = String(error)));
    await until(async () => (await ask()) === true);
  }).catch((error: unknown) => {
    throw new Error(`not settled: ${progress}`, { cause: error });
  });
}

/** Returns the number of events that the removal workers have not processed. */
export async function removalLag({ kafka: target }: Pick<Stored, 'kafka'>): Promise<number> {
  const { kafka, topicName, groupName } = connectKafka(target);
  const topic = topicName(deletionAcceptedTopic);
  return withAdmin(kafka, async (admin) => {
    const [committed] = await admin.fetchOffsets({ groupId: groupName(removalGroup), topics: [topic] });
    const processed = new Map(
      (committed?.partitions ?? []).map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]),
    );
    const ends = await admin.fetchTopicOffsets(topic);
    return ends.reduce((lag, { partition, high }) => lag + Number(high) - (processed.get(partition) ?? 0), 0);
  });
}

export async function withDatabase<Result>(
  { databaseUrl }: Pick<Cluster, 'databaseUrl'>,
  use: (database: mongo.Db) => Promise<Result>,
): Promise<Result> {
  const client = new mongo.MongoClient(databaseUrl, { serverSelectionTimeoutMS: 30_000 });
  try {
    return await use(client.db());
  } finally {
    await client.close();
  }
}

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
