import { removalGroup } from '@jobs-delete/deleter-service/deletion/remove-jobs';
import type { EventRecord } from '@jobs-delete/deleter-service/event-log/event-log';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { deletionAcceptedTopic, type Topic, topics } from '@jobs-delete/proto/events';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import kafkajs from 'kafkajs';
import type { Cluster } from './cluster.ts';

/** An event from any producer. */
export function anEventOf(id: string, type: string, value: string): EventRecord {
  const headers = { ce_specversion: '1.0', ce_id: id, ce_type: type, ce_source: 'a test' };
  return { key: id, headers, value: Buffer.from(value) };
}

/** Publishes events on the relay's topic, or on another one. */
export async function publishTo(
  { kafka: target }: Pick<Cluster, 'kafka'>,
  events: readonly EventRecord[],
  topic: Topic = deletionAcceptedTopic,
): Promise<void> {
  const { kafka, topicName } = connectKafka(target);
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  try {
    await producer.connect();
    const messages = events.map(({ key, headers, value }) => ({ key, headers: { ...headers }, value }));
    await producer.send({ topic: topicName(topic), messages });
  } finally {
    await producer.disconnect();
  }
}

/** Returns the removal group's state and number of members. */
export async function describeRemovalGroup(cluster: Pick<Cluster, 'kafka'>) {
  const group = await findRemovalGroup(cluster);
  return group && { state: group.state, members: group.members.length };
}

/** Returns the removal group with its members' ids. A worker that rejoins gets a new id. */
export async function findRemovalGroup({ kafka: target }: Pick<Cluster, 'kafka'>) {
  const { kafka, groupName } = connectKafka(target);
  return withAdmin(kafka, async (admin) => {
    const { groups } = await admin.describeGroups([groupName(removalGroup)]);
    return groups.map(({ state, members }) => ({
      state,
      members: members.map(({ memberId }) => memberId).sort(),
    }))[0];
  });
}

export interface TopicShape {
  readonly partitions: number;
  /** The same for every partition. */
  readonly replicas: number;
  /** min.insync.replicas of the topic. */
  readonly inSync: string | undefined;
}

/** Returns the existing topics of an installation, as the brokers describe them. */
export async function describeTopics(target: KafkaUrl): Promise<Record<string, TopicShape>> {
  const { kafka, topicName } = connectKafka(target);
  return withAdmin(kafka, async (admin) => {
    const all = new Set(await admin.listTopics());
    const present = topics.map(topicName).filter((name) => all.has(name));
    if (present.length === 0) return {};
    const metadata = await admin.fetchTopicMetadata({ topics: present });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: present.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
    });
    const inSyncOf = (topic: string) =>
      resources
        .find(({ resourceName }) => resourceName === topic)
        ?.configEntries.find(({ configName }) => configName === 'min.insync.replicas')?.configValue;
    return Object.fromEntries(
      metadata.topics.map(({ name, partitions }) => [
        name,
        {
          partitions: partitions.length,
          replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
          inSync: inSyncOf(name),
        },
      ]),
    );
  });
}
