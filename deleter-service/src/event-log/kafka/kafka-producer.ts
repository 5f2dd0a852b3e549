import { Fault } from '@jobs-delete/runtime/fault';
import type { ICustomPartitioner, Producer } from 'kafkajs';
import { kafkaFault, withTimeLimit } from './connect-kafka.ts';
import { encodeHeaders, type EventMessage } from './encode-produce-request.ts';
import type { Kafka } from './kafkajs.ts';
import { partitionOf } from './partition-of.ts';

/** What this program publishes: everything has a key. */
export interface Message extends Pick<EventMessage, 'id' | 'headers' | 'value'> {
  readonly key: string;
}

/**
 * Below the broker's default message.max.bytes of 1 MiB, which counts a whole batch for a partition; and below half of
 * that, from where on an object is "humongous" to its garbage collector (G1, with a heap of less than 2 GB, as brokers
 * start by default), and may have it mark all of its memory.
 */
const maxBatchBytes = 400_000;

export interface KafkaProducer {
  /** Resolves when all replicas in sync have every message. @throws Fault */
  send(topic: string, messages: readonly Message[]): Promise<void>;
  close(): Promise<void>;
}

export interface KafkaProducerOptions {
  /** How long one request may take. */
  readonly timeoutMs?: number;
  /**
   * A topic where the partition goes by the call, each call's being the next one, and not by the keys: a consumer gets
   * as one batch what was published as one. Elsewhere the key decides.
   */
  readonly togetherOn?: string;
}

/**
 * An idempotent producer, one request in flight. After a failure kafkajs and the broker may disagree about what was
 * written, so a producer that has failed, or has not answered in time, is given up, and the next one starts anew.
 */
export function createKafkaProducer(kafka: Kafka, options: KafkaProducerOptions = {}): KafkaProducer {
  const { timeoutMs = 30_000, togetherOn } = options;
  let current: Promise<Producer> | undefined;
  let closed = false;
  let turn = 0;

  const createPartitioner: ICustomPartitioner =
    () =>
    ({ topic, message, partitionMetadata }) =>
      topic === togetherOn
        ? (partitionMetadata[turn % partitionMetadata.length]?.partitionId ?? 0)
        : partitionOf(message.key ?? '', partitionMetadata.length);

  const connect = async (): Promise<Producer> => {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner,
    });
    await producer.connect();
    return producer;
  };

  const send = async (topic: string, messages: readonly Message[]) => {
    if (closed) throw new Fault('unavailable', 'Kafka: the event log is closed');
    turn += 1;
    const used = (current ??= connect());
    let attempt: Promise<unknown> = used;
    try {
      for (const batch of batchesOf(messages)) {
        attempt = used.then((producer) =>
          producer.send({ topic, acks: -1, timeout: timeoutMs, messages: batch }),
        );
        await withTimeLimit(attempt, timeoutMs);
      }
    } catch (error) {
      // Another call may have given it up before, and a new one may be at work already.
      if (current === used) current = undefined;
      disconnect(used, attempt);
      throw kafkaFault(error);
    }
  };

  return {
    send,
    close: async () => {
      closed = true;
      const producer = await current?.catch(() => undefined);
      await producer?.disconnect();
    },
  };
}

/** Twice: an attempt that is still at work connects once more to try again, and ends after a few times. */
function disconnect(used: Promise<Producer>, attempt: Promise<unknown>): void {
  const now = () => used.then((producer) => producer.disconnect()).catch(() => undefined);
  void now();
  attempt.then(now, now).catch(() => undefined);
}

function batchesOf(messages: readonly Message[]): Message[][] {
  const batches: Message[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = sizeOf(message);
    if (bytes + size > maxBatchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(message);
    bytes += size;
  }
  return batches;
}

/** A little more than it takes on the wire. */
function sizeOf({ key, value, id = '', headers }: Message): number {
  const bytes = 64 + Buffer.byteLength(key) + Buffer.byteLength(value ?? '') + Buffer.byteLength(id);
  return bytes + (headers === undefined ? 0 : encodeHeaders(headers).bytes.length);
}
