import { Fault } from '@jobs-delete/runtime/fault';
import { Partitioners, type ICustomPartitioner, type Kafka, type Message, type Producer } from 'kafkajs';
import { kafkaFault, withTimeLimit } from './connect-kafka.ts';

export interface ProducerMessage {
  readonly key: string;
  /** Null deletes the key from a compacted topic. */
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The most bytes of one request. The broker's default limit (message.max.bytes) is 1 MiB for the batch of a partition.
 * Objects above 512 KiB are "humongous" to the garbage collector of a broker with a small heap, and cost it extra work.
 */
const maxBatchBytes = 400_000;

export interface KafkaProducer {
  /** Resolves when all in-sync replicas have every message. Rejects with a Fault otherwise. */
  send(topic: string, messages: readonly ProducerMessage[]): Promise<void>;
  close(): Promise<void>;
}

export interface KafkaProducerOptions {
  /** The timeout of one request. */
  readonly timeoutMs?: number;
  /**
   * A topic whose messages go to one partition per call of `send`, in turn. A consumer then receives one call as one
   * batch. On other topics the key decides the partition.
   */
  readonly togetherOn?: string;
}

/**
 * An idempotent producer with one request in flight. After a failure kafkajs and the broker may disagree about the
 * written messages, so the next call connects a new producer.
 */
export function createKafkaProducer(kafka: Kafka, options: KafkaProducerOptions = {}): KafkaProducer {
  const { timeoutMs = 30_000, togetherOn } = options;
  let current: Promise<Producer> | undefined;
  let closed = false;
  let turn = 0;

  const connect = async (): Promise<Producer> => {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: createPartitioner(togetherOn, () => turn),
    });
    await producer.connect();
    return producer;
  };

  const send = async (topic: string, messages: readonly ProducerMessage[]) => {
    if (closed) throw new Fault('unavailable', 'Kafka: the event log is closed');
    turn += 1;
    const used = (current ??= connect());
    let attempt: Promise<unknown> = used;
    try {
      for (const batch of toBatches(messages)) {
        attempt = used.then((producer) =>
          producer.send({ topic, acks: -1, timeout: timeoutMs, messages: batch }),
        );
        await withTimeLimit(attempt, timeoutMs);
      }
    } catch (error) {
      // Another call may have failed first and connected a new producer, which must stay.
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

function createPartitioner(togetherOn: string | undefined, turn: () => number): ICustomPartitioner {
  return () => {
    const partitionOfKey = Partitioners.DefaultPartitioner();
    return (args) => {
      const { topic, partitionMetadata } = args;
      if (topic !== togetherOn) return partitionOfKey(args);
      return partitionMetadata[turn() % partitionMetadata.length]?.partitionId ?? 0;
    };
  };
}

/** Disconnects twice: an attempt that still runs may connect again for its retries. */
function disconnect(used: Promise<Producer>, attempt: Promise<unknown>): void {
  const now = () => used.then((producer) => producer.disconnect()).catch(() => undefined);
  void now();
  attempt.then(now, now).catch(() => undefined);
}

function toBatches(messages: readonly ProducerMessage[]): Message[][] {
  const batches: Message[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = sizeOf(message);
    if (bytes + size > maxBatchBytes) {
      batches.push([]);
      bytes = 0;
    }
    const { key, value, headers = {} } = message;
    batches.at(-1)?.push({ key, value, headers });
    bytes += size;
  }
  return batches;
}

/** Returns slightly more than the bytes on the wire. */
function sizeOf({ key, value, headers = {} }: ProducerMessage): number {
  let bytes = 64 + Buffer.byteLength(key) + (value?.length ?? 0);
  for (const name in headers) bytes += 8 + Buffer.byteLength(name) + Buffer.byteLength(headers[name] ?? '');
  return bytes;
}
