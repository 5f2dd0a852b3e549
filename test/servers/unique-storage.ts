import { randomBytes } from 'node:crypto';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { createTopics } from '@jobs-delete/deleter-service/event-log/kafka/topics';
import { topics } from '@jobs-delete/proto/events';
import { type KafkaUrl, parseKafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Kafka } from 'kafkajs';

/** Returns the server's URL with another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const [, scheme = '', userInfo = '', hosts = '', path = '', query = ''] =
    /^(mongodb(?:\+srv)?:\/\/)([^@/]*@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(serverUrl) ?? [];
  const parameters = new URLSearchParams(query);
  // The default would be the database of the suite, which has no users.
  if (userInfo !== '' && !parameters.has('authSource'))
    parameters.set('authSource', path === '' ? 'admin' : path);
  return `${scheme}${userInfo}${hosts}/${name}?${parameters.toString()}`;
}

/** Returns a name that no other suite or run uses: they share the servers. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}

export interface KafkaTargets {
  /** Creates empty topics under a new prefix. */
  create(): Promise<KafkaUrl>;
  /** Returns a new prefix without topics. */
  createBare(): KafkaUrl;
  removeAll(): Promise<void>;
}

/** Gives each suite its own topic prefix: suites and runs share one cluster. */
export function kafkaTargets(url: string): KafkaTargets {
  const created: KafkaUrl[] = [];

  const createBare = () => {
    const target = { ...kafkaTargetOf(url), prefix: `test-${randomBytes(6).toString('hex')}.` };
    created.push(target);
    return target;
  };
  return {
    createBare,
    create: async () => {
      const target = createBare();
      await createTopics(connectKafka(target), { partitions: 3, replicationFactor: 1 });
      return target;
    },
    removeAll: async () => {
      const [first] = created;
      if (first === undefined) return;
      const names = created.flatMap((target) => topics.map(connectKafka(target).topicName));
      await deleteTopics(connectKafka(first).kafka, names);
    },
  };
}

export function kafkaTargetOf(url: string): KafkaUrl {
  const target = parseKafkaUrl(url);
  if (target === undefined) throw new Error(`not a Kafka URL: ${url}`);
  return target;
}

/** Deletes the topics. Ignores those that do not exist. */
export async function deleteTopics(kafka: Kafka, names: readonly string[]): Promise<void> {
  await withAdmin(kafka, async (admin) => {
    const present = new Set(await admin.listTopics());
    await admin.deleteTopics({ topics: names.filter((name) => present.has(name)) });
  });
}
