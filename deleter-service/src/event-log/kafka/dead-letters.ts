import { deadLetterTopic, deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { DeadLetter, DeadLetters, ReceivedEvent } from '../event-log.ts';
import { kafkaFault, type KafkaConnection } from './connect-kafka.ts';
import type { KafkaProducer } from './kafka-producer.ts';
import { readTopic } from './read-topic.ts';

/** Headers of ours beside those of the original; the value is the original's, byte for byte. */
const prefix = 'dead_letter_';

/** A compacted topic keyed by the letter's id: a later record replaces a letter, one without a value discards it. */
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
      if (tombstone) letters.delete(event.key);
      else letters.set(event.key, readLetter(event));
    }
    return [...letters.values()].sort((a, b) => a.failedAtMs - b.failedAtMs);
  };
  const discard = (id: string) => producer.send(topic, [{ key: id, value: null }]);

  return {
    addDeadLetters: (letters) => producer.send(topic, letters.map(writeLetter)),
    listDeadLetters: async (max) => (await list()).slice(0, max),
    replayDeadLetter: async (id) => {
      const letter = (await list()).find((candidate) => candidate.id === id);
      if (letter === undefined) return false;
      const { key, value, headers } = letter.event;
      await producer.send(topicName(deletionAcceptedTopic), [{ key, value, headers: { ...headers } }]);
      await discard(id);
      return true;
    },
    discardDeadLetter: async (id) => {
      if (!(await list()).some((letter) => letter.id === id)) return false;
      await discard(id);
      return true;
    },
  };
}

function writeLetter({ id, reason, attempts, failedAtMs, event }: DeadLetter) {
  return {
    key: id,
    value: event.value,
    headers: {
      ...event.headers,
      [`${prefix}reason`]: reason,
      [`${prefix}attempts`]: String(attempts),
      [`${prefix}failed_at_ms`]: String(failedAtMs),
      [`${prefix}position`]: event.position,
      [`${prefix}key`]: event.key,
    },
  };
}

function readLetter(record: ReceivedEvent): DeadLetter {
  const ours = (name: string) => record.headers[prefix + name] ?? '';
  const headers = Object.fromEntries(
    Object.entries(record.headers).filter(([name]) => !name.startsWith(prefix)),
  );
  return {
    id: record.key,
    reason: ours('reason'),
    attempts: Number(ours('attempts')),
    failedAtMs: Number(ours('failed_at_ms')),
    event: { position: ours('position'), key: ours('key'), headers, value: record.value },
  };
}
