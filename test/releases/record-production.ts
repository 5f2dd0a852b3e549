import { deadLetterTopic, deletionAcceptedTopic, type Topic } from '@jobs-delete/proto/events';
import type { DeletionDocument } from '@jobs-delete/deleter-service/store/mongo/collections';
import { mongo } from 'mongoose';
import { reapReplicas } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import {
  dropCluster,
  readTopicOf,
  untilClusterSettled,
  withDatabase,
} from '../production/cluster-aftermath.ts';
import { createCluster, type Cluster } from '../production/cluster.ts';
import type { Replica } from '../production/create-role.ts';
import {
  acceptedBy,
  createCaller,
  deleteJobs,
  idempotencyKey,
  jobs,
  pepper,
  type RecordedEvent,
  type Recording,
} from './recording.ts';

export interface Servers {
  readonly mongodbUrl: string;
  readonly kafkaUrl: string;
}

export async function recordProduction(
  servers: Servers,
  env: Readonly<Record<string, string>>,
): Promise<
  Pick<Recording, 'collections' | 'topics'> & { readonly caller: Recording['caller']['production'] }
> {
  const cluster = await createCluster({
    ...servers,
    replicas: { gateway: 1, api: 1, relay: 1, worker: 1 },
    partitions: 1,
    env: { ...env, CREDENTIAL_PEPPER: pepper },
  });
  try {
    const caller = await createCaller(cluster.env);
    await cluster.startAll();
    const [gateway] = cluster.gateways;
    const [relay] = cluster.relays;
    const [worker] = cluster.workers;
    if (!gateway || !relay || !worker) throw new Error('a role has no replica');
    const accept = (jobIds: readonly string[], key?: string) =>
      acceptedBy(deleteJobs(gateway.baseUrl, caller, jobIds, key));

    await accept(jobs.completed, idempotencyKey);
    await untilClusterSettled(cluster);
    await worker.stop();
    await refuseOnce(await accept(jobs.published), caller.accountId, cluster, worker);
    await relay.stop();
    await accept(jobs.accepted);
    await Promise.all(cluster.replicas.map((replica) => replica.stop()));
    return { caller, collections: await readCollections(cluster), topics: await readTopics(cluster) };
  } finally {
    await reapReplicas();
    await dropCluster(cluster);
  }
}

/** Lets the worker receive the event while the deletion belongs to another account. */
async function refuseOnce(deletionId: string, accountId: string, cluster: Cluster, worker: Replica) {
  const inDeletions = <Result>(use: (deletions: mongo.Collection<DeletionDocument>) => Promise<Result>) =>
    withDatabase(cluster, (database) => use(database.collection<DeletionDocument>('deletions')));
  const setAccount = (account_id: string) =>
    inDeletions((deletions) => deletions.updateOne({ _id: deletionId }, { $set: { account_id } }));
  const isPublished = async () =>
    (await inDeletions((deletions) => deletions.findOne({ _id: deletionId })))?.state === 'published';
  const isDeadLetter = async () =>
    (await readTopicOf(cluster, deadLetterTopic)).some(({ event }) => event.key.includes(deletionId));

  await until(isPublished);
  await setAccount('somebody-else');
  await worker.start();
  await until(isDeadLetter);
  await setAccount(accountId);
}

function readCollections(cluster: Cluster): Promise<string> {
  return withDatabase(cluster, async (database) => {
    const names = (await database.listCollections().toArray()).map(({ name }) => name).sort();
    const collections = await Promise.all(
      names.map(async (name) => [name, await database.collection(name).find().toArray()] as const),
    );
    const filled = collections.filter(([, documents]) => documents.length > 0);
    return `${mongo.BSON.EJSON.stringify(Object.fromEntries(filled), undefined, 2, { relaxed: true })}\n`;
  });
}

async function readTopics(cluster: Cluster): Promise<Recording['topics']> {
  const read = async (topic: Topic): Promise<RecordedEvent[]> => {
    const records = await readTopicOf(cluster, topic);
    if (records.length === 0) throw new Error(`no events on the topic ${topic}`);
    return records.map(({ event: { key, headers, value } }) => ({
      key,
      headers,
      value: value.toString('utf8'),
    }));
  };
  return {
    [deletionAcceptedTopic]: await read(deletionAcceptedTopic),
    [deadLetterTopic]: await read(deadLetterTopic),
  };
}
