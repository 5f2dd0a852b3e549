import { splitByWeight } from '@jobs-delete/runtime/batching/groups';
import { Fault } from '@jobs-delete/runtime/fault';
import {
  Partitioners,
  type ICustomPartitioner,
  type Kafka,
  type Message,
  type PartitionMetadata,
  type Producer,
  type RecordMetadata,
} from 'kafkajs';
import { kafkaFault, answerWithin } from './connect-kafka.ts';

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

export type KafkaProducer = ReturnType<typeof createKafkaProducer>;

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
 * An idempotent producer with one request in flight to each broker. After a failure kafkajs and the broker may disagree
 * about the written messages, so the next call connects a new producer. The old one disconnects after its last call: other
 * partitions may be well.
 */
export function createKafkaProducer(kafka: Kafka, options: KafkaProducerOptions = {}) {
  const { timeoutMs = 30_000, togetherOn } = options;
  let current: Promise<Producer> | undefined;
  let closed = false;
  let call = 0;
  let turn = 0;
  const calls = new Map<Promise<Producer>, number>();
  const brokers = createBrokerWatch();

  const connect = async (): Promise<Producer> => {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: createPartitioner(togetherOn, brokers),
    });
    await producer.connect();
    return producer;
  };

  /** Resolves when all in-sync replicas have every message. Rejects with a Fault otherwise. */
  const send = async (topic: string, messages: readonly ProducerMessage[]): Promise<void> => {
    if (closed) throw new Fault('unavailable', 'Kafka: the event log is closed');
    // A failed publication is sent again by another call, so to another partition.
    if (topic === togetherOn) turn += 1;
    const callNumber = ++call;
    const used = (current ??= connect());
    calls.set(used, (calls.get(used) ?? 0) + 1);
    brokers.onStart(callNumber, turn);
    let attempt: Promise<unknown> = used;
    let isAnswered = false;
    try {
      for (const some of splitByWeight(messages, sizeOf, maxBatchBytes)) {
        const batch = some.map((message): NumberedMessage => ({ headers: {}, ...message, call: callNumber }));
        const answers = used.then((producer) =>
          producer.send({ topic, acks: -1, timeout: timeoutMs, messages: batch }),
        );
        attempt = answers;
        requireAnswers(topic, batch, await answerWithin(answers, timeoutMs));
      }
      isAnswered = true;
    } catch (error) {
      // Another call may have failed first and connected a new producer, which must stay.
      if (current === used) current = undefined;
      throw kafkaFault(error);
    } finally {
      brokers.onEnd(callNumber, isAnswered);
      const open = (calls.get(used) ?? 1) - 1;
      calls.set(used, open);
      if (open === 0) calls.delete(used);
      if (open === 0 && current !== used) disconnect(used, attempt);
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

/** A broker with a request that is older than this may hang. */
const slowMs = 1_000;

/** A broker whose request failed gets no further ones for this time, while others work. */
const avoidMs = 30_000;

interface Request {
  readonly sinceMs: number;
  /** The number of the call among those of its topic. */
  readonly turn: number;
  chosen?: PartitionMetadata | undefined;
}

/** Knows which brokers do not answer. */
function createBrokerWatch() {
  const requests = new Map<number, Request>();
  const failedAtMs = new Map<number, number>();
  const answers = ({ leader }: PartitionMetadata) => {
    const nowMs = performance.now();
    const isSlow = [...requests.values()].some(
      ({ chosen, sinceMs }) => chosen?.leader === leader && nowMs - sinceMs > slowMs,
    );
    return !isSlow && nowMs - (failedAtMs.get(leader) ?? -Infinity) > avoidMs;
  };
  return {
    onStart: (call: number, turn: number) => {
      requests.set(call, { sinceMs: performance.now(), turn });
    },
    /** Chooses one partition for all messages of a call. */
    choose: (call: number, partitions: readonly PartitionMetadata[]): number => {
      const request = requests.get(call);
      if (request === undefined) return 0;
      const withLeader = partitions.filter(({ leader }) => leader >= 0);
      const usable =
        [withLeader.filter(answers), withLeader, partitions].find(({ length }) => length > 0) ?? [];
      const chosen = (request.chosen ??= usable[request.turn % usable.length]);
      return chosen?.partitionId ?? 0;
    },
    onEnd: (call: number, isAnswered: boolean) => {
      const leader = requests.get(call)?.chosen?.leader;
      requests.delete(call);
      if (leader === undefined) return;
      if (isAnswered) failedAtMs.delete(leader);
      else failedAtMs.set(leader, performance.now());
    },
  };
}

interface NumberedMessage extends Message {
  /** The number of the call of `send`. */
  readonly call: number;
  /** Set by the partitioner at the first attempt. A retry must not choose again: kafkajs may have written the message. */
  partition?: number;
}

/**
 * kafkajs resolves although it did not send a partition, if the partition moved during retries to a broker that had
 * already answered for others (producer/sendMessages.js, `responsePerBroker`). All messages of a partition share one
 * request, so an answer for their partition proves that they are written.
 */
function requireAnswers(
  topic: string,
  batch: readonly NumberedMessage[],
  answers: readonly RecordMetadata[],
): void {
  const answered = new Set(answers.map(({ partition }) => partition));
  for (const { partition = -1 } of batch) {
    if (!answered.has(partition))
      throw new Fault(
        'unavailable',
        `Kafka: no broker has answered for partition ${String(partition)} of ${topic}`,
      );
  }
}

/** On the topic `togetherOn`, the messages of one call go to one partition, whose leader answers if possible. */
function createPartitioner(
  togetherOn: string | undefined,
  brokers: ReturnType<typeof createBrokerWatch>,
): ICustomPartitioner {
  return () => {
    const partitionOfKey = Partitioners.DefaultPartitioner();
    return (args) => {
      const { topic, partitionMetadata } = args;
      const message = args.message as NumberedMessage;
      return (message.partition ??=
        topic === togetherOn ? brokers.choose(message.call, partitionMetadata) : partitionOfKey(args));
    };
  };
}

/** Disconnects twice: an attempt that still runs may connect again for its retries. */
function disconnect(used: Promise<Producer>, attempt: Promise<unknown>): void {
  const now = () => used.then((producer) => producer.disconnect()).catch(() => undefined);
  void now();
  attempt.then(now, now).catch(() => undefined);
}

/** Returns slightly more than the bytes on the wire. */
function sizeOf({ key, value, headers = {} }: ProducerMessage): number {
  let bytes = 64 + Buffer.byteLength(key) + (value?.length ?? 0);
  for (const name in headers) bytes += 8 + Buffer.byteLength(name) + Buffer.byteLength(headers[name] ?? '');
  return bytes;
}
