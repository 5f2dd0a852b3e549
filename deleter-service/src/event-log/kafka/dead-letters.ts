import { randomUUID } from 'node:crypto';
import { deadLetterTopic, deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { Consumer, Kafka } from 'kafkajs';
import type { DeadLetter, DeadLetters, ReceivedEvent } from '../event-log.ts';
import { type KafkaConnection, kafkaFault, withAdmin } from './connect-kafka.ts';
import { receivedEvent } from './kafka-consumer.ts';
import type { KafkaProducer } from './kafka-producer.ts';
import { topicOffsets } from './topics.ts';

/** The prefix of our headers. All other headers, and the value, are those of the original event. */
const prefix = 'dead_letter_';

/**
 * Keeps dead letters on a compacted topic: a later record replaces a letter, a record without a value discards it. The
 * key has the event's position beside its id. A replayed event has the same id, and if it fails again, discarding the
 * first letter must not discard the second. Among letters with one id the newest counts.
 */
export function kafkaDeadLetters(connection: KafkaConnection, producer: KafkaProducer): DeadLetters {
  const { kafka, topicName, groupName } = connection;
  const topic = topicName(deadLetterTopic);

  const list = async (): Promise<DeadLetter[]> => {
    const letters = new Map<string, DeadLetter>();
    const records = await readTopic(kafka, topic, groupName('jobs-delete.dead-letters')).catch(
      (error: unknown) => {
        throw kafkaFault(error);
      },
    );
    for (const { event, tombstone } of records) {
      // A Map keeps the place of an existing key: delete it first, to move it to the end.
      letters.delete(event.key);
      if (!tombstone) letters.set(event.key, readLetter(event));
    }
    return [...letters.values()].sort((a, b) => a.failedAtMs - b.failedAtMs);
  };
  const discard = (letters: readonly DeadLetter[]) =>
    producer.send(
      topic,
      letters.map(({ id, event }) => ({ key: recordKey(id, event), value: null })),
    );

  return {
    addDeadLetters: (letters) => producer.send(topic, letters.map(writeLetter)),
    listDeadLetters: async (max) => {
      const letters = await list();
      const newest = new Map(letters.map((letter) => [letter.id, letter]));
      return letters.filter((letter) => newest.get(letter.id) === letter).slice(0, max);
    },
    replayDeadLetter: async (id) => {
      const letters = (await list()).filter((letter) => letter.id === id);
      const newest = letters.at(-1);
      if (newest === undefined) return false;
      const { key, value, headers } = newest.event;
      await producer.send(topicName(deletionAcceptedTopic), [{ key, value, headers: { ...headers } }]);
      await discard(letters);
      return true;
    },
    discardDeadLetter: async (id) => {
      const letters = (await list()).filter((letter) => letter.id === id);
      if (letters.length > 0) await discard(letters);
      return letters.length > 0;
    },
  };
}

function recordKey(id: string, { position }: ReceivedEvent): string {
  return `${position} ${id}`;
}

function writeLetter({ id, reason, attempts, failedAtMs, event }: DeadLetter) {
  return {
    key: recordKey(id, event),
    value: event.value,
    headers: {
      ...event.headers,
      [`${prefix}reason`]: reason,
      [`${prefix}attempts`]: String(attempts),
      [`${prefix}failed_at_ms`]: String(failedAtMs),
      [`${prefix}id`]: id,
      [`${prefix}position`]: event.position,
      [`${prefix}key`]: event.key,
    },
  };
}

function readLetter(record: ReceivedEvent): DeadLetter {
  const ownHeader = (name: string) => record.headers[prefix + name] ?? '';
  const headers = Object.fromEntries(
    Object.entries(record.headers).filter(([name]) => !name.startsWith(prefix)),
  );
  return {
    id: ownHeader('id'),
    reason: ownHeader('reason'),
    attempts: Number(ownHeader('attempts')),
    failedAtMs: Number(ownHeader('failed_at_ms')),
    event: { position: ownHeader('position'), key: ownHeader('key'), headers, value: record.value },
  };
}

export interface TopicRecord {
  readonly event: ReceivedEvent;
  readonly tombstone: boolean;
}

/**
 * Returns all records of the topic, in order within a partition. For operators' commands on small topics. kafkajs reads
 * only as a member of a group, so this creates a group and deletes it afterwards.
 */
export async function readTopic(kafka: Kafka, topic: string, groupPrefix: string): Promise<TopicRecord[]> {
  const groupId = `${groupPrefix}.${randomUUID()}`;
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
  try {
    const ends = await endOffsets(kafka, topic);
    if (ends.size === 0) return [];
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    return await readUntil(ends, consumer);
  } finally {
    await consumer.disconnect().catch(() => undefined);
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  }
}

/** The longest time without a batch. */
const idleTimeoutMs = 60_000;

function readUntil(ends: Map<number, bigint>, consumer: Consumer): Promise<TopicRecord[]> {
  const records: TopicRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  return new Promise<TopicRecord[]>((resolve, reject) => {
    const giveUp = () => reject(new Error(`the brokers sent no records for ${String(idleTimeoutMs)} ms`));
    timer = setTimeout(giveUp, idleTimeoutMs);
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    // Compaction leaves gaps, so the offset at the end of a batch counts, not the number of records.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, lastOffset } }) => {
      timer?.refresh();
      const end = ends.get(partition);
      if (end !== undefined && BigInt(lastOffset) + 1n >= end) ends.delete(partition);
      if (ends.size === 0) resolve(records);
    });
    consumer
      .run({
        autoCommit: false,
        eachBatch: ({ batch }) => {
          for (const message of batch.messages) {
            const event = receivedEvent(batch.topic, batch.partition, message);
            records.push({ event, tombstone: message.value === null });
          }
          return Promise.resolve();
        },
      })
      .catch(reject);
  }).finally(() => clearTimeout(timer));
}

/** Returns the offset after the last record, for each partition that is not empty. */
async function endOffsets(kafka: Kafka, topic: string): Promise<Map<number, bigint>> {
  const offsets = await topicOffsets(kafka, topic);
  return new Map(
    offsets.filter(({ low, high }) => low !== high).map(({ partition, high }) => [partition, BigInt(high)]),
  );
}
