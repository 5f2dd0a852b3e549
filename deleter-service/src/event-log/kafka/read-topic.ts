import { randomUUID } from 'node:crypto';
import type { Consumer, Kafka } from 'kafkajs';
import type { ReceivedEvent } from '../event-log.ts';
import { withAdmin } from './connect-kafka.ts';
import { receivedEvent } from './kafka-consumer.ts';
import { topicOffsets } from './topic-offsets.ts';

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
