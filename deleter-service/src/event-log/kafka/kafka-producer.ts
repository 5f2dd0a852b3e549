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
  let call = 0;

  const connect = async (): Promise<Producer> => {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: createPartitioner(togetherOn),
    });
    await producer.connect();
    return producer;
  };

  const send = async (topic: string, messages: readonly ProducerMessage[]) => {
    if (closed) throw new Fault('unavailable', 'Kafka: the event log is closed');
    // A failed publication is sent again by another call, so to another partition.
    if (topic === togetherOn) call += 1;
    const callNumber = call;
    const used = (current ??= connect());
    let attempt: Promise<unknown> = used;
    try {
      for (const batch of toBatches(messages, callNumber)) {
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

/** On the topic `togetherOn`, the messages of one call go to one partition that has a leader. */
function createPartitioner(togetherOn: string | undefined): ICustomPartitioner {
  return () => {
    const partitionOfKey = Partitioners.DefaultPartitioner();
    return (args) => {
      const { topic, partitionMetadata, message } = args;
      const { partition: call = 0, ...ofKey } = message;
      if (topic !== togetherOn) return partitionOfKey({ ...args, message: ofKey });
      const withLeader = partitionMetadata.filter(({ leader }) => leader >= 0);
      const usable = withLeader.length > 0 ? withLeader : partitionMetadata;
      return usable[call % usable.length]?.partitionId ?? 0;
    };
  };
}

/** Disconnects twice: an attempt that still runs may connect again for its retries. */
function disconnect(used: Promise<Producer>, attempt: Promise<unknown>): void {
  const now = () => used.then((producer) => producer.disconnect()).catch(() => undefined);
  void now();
  attempt.then(now, now).catch(() => undefined);
}

/** @param call the number of the call, which the partitioner reads from `partition` */
function toBatches(messages: readonly ProducerMessage[], call: number): Message[][] {
  const batches: Message[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = sizeOf(message);
    if (bytes + size > maxBatchBytes) {
      batches.push([]);
      bytes = 0;
    }
    const { key, value, headers = {} } = message;
    batches.at(-1)?.push({ key, value, headers, partition: call });
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
