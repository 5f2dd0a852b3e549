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
 * Everything on the topic now, in order within a partition: for operators' commands, on small topics. kafkajs reads
 * only as the member of a group, so it makes one, of which nothing stays.
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

/** How long nothing may come. */
const patienceMs = 60_000;

function readUntil(ends: Map<number, bigint>, consumer: Consumer): Promise<TopicRecord[]> {
  const records: TopicRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  return new Promise<TopicRecord[]>((resolve, reject) => {
    const giveUp = () => reject(new Error(`nothing came for ${String(patienceMs)} ms`));
    timer = setTimeout(giveUp, patienceMs);
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    // Compaction leaves gaps: where a batch ends counts, not how many records there were.
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

/** Of the partitions that hold anything: the offset after the last record. */
async function endOffsets(kafka: Kafka, topic: string): Promise<Map<number, bigint>> {
  const offsets = await topicOffsets(kafka, topic);
  return new Map(
    offsets.filter(({ low, high }) => low !== high).map(({ partition, high }) => [partition, BigInt(high)]),
  );
}
