import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import type { BatchControl, BatchHandler, Consumer, ReceivedEvent } from '../event-log.ts';
import { kafkaFault, withTimeLimit } from './connect-kafka.ts';
import { isTransient } from './is-transient.ts';

export interface KafkaConsumerOptions {
  /** Their full names. */
  readonly topic: string;
  readonly group: string;
  readonly handle: BatchHandler;
  readonly clock: Clock;
  readonly random: Random;
  readonly sessionTimeoutMs?: number;
}

/**
 * A member of the group, a batch of one partition at a time. The offset is committed when the batch has been
 * processed; a batch that this member has lost, or that failed, is left as it is and comes again.
 *
 * A kafkajs consumer that has crashed, or whose broker does not answer, is replaced by another one here: its own restart can't be stopped.
 */
export async function startKafkaConsumer(kafka: Kafka, options: KafkaConsumerOptions): Promise<Consumer> {
  const { clock, random } = options;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let running = await runConsumer(kafka, options, stopping.signal);

  const replace = async (): Promise<RunningConsumer | undefined> => {
    for (let attempt = 1; ; attempt++) {
      await clock.sleep(backoffMs(attempt, random, maxReplaceWaitMs), stopping.signal);
      if (isStopping()) return undefined;
      try {
        return await runConsumer(kafka, options, stopping.signal);
      } catch (error) {
        if (error instanceof Error && !isTransient(error.cause)) throw error;
      }
    }
  };
  const supervise = async () => {
    for (;;) {
      const error = await running.crashed;
      // A consumer on lost connections waits for answers that don't come: it ends by itself later.
      await withTimeLimit(running.stop(), 2_000).catch(() => undefined);
      if (isStopping()) return;
      if (!isTransient(error)) throw kafkaFault(error);
      running = (await replace()) ?? running;
      if (isStopping()) await running.stop();
    }
  };
  const supervised = supervise();
  // Whoever does not watch `ended` is told by the missing progress; it must not end the process by itself.
  const ended = new Promise<void>((_resolve, reject) => void supervised.catch(reject));
  ended.catch(() => undefined);

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await running.stop();
    await supervised.catch(() => undefined);
  };
  return { ended, stop: () => (stopped ??= stop()) };
}

/** The longest wait before the next attempt to replace a crashed consumer. A worker is back soon after its brokers. */
const maxReplaceWaitMs = 2_000;

/**
 * How long the group waits for its members when one of them joins. After an outage of the brokers the group still counts
 * the consumer that has crashed, which never comes: without this limit all wait until its session ends. A live member
 * learns of a rebalance by its next heartbeat and leaves its batch at once.
 */
const rebalanceTimeoutMs = 5_000;
const heartbeatIntervalMs = 2_000;

interface RunningConsumer {
  /** Resolves with the reason when it has ended by itself, or with undefined when it was stopped. */
  readonly crashed: Promise<Error | undefined>;
  stop(): Promise<void>;
}

async function runConsumer(
  kafka: Kafka,
  options: KafkaConsumerOptions,
  stopping: AbortSignal,
): Promise<RunningConsumer> {
  const { topic, group, sessionTimeoutMs = 30_000 } = options;
  const consumer = kafka.consumer({
    groupId: group,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatIntervalMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    maxWaitTimeInMs: 100,
    maxBytesPerPartition: 1_048_576,
    allowAutoTopicCreation: false,
    retry: { maxRetryTime: 1_000, retries: 10, restartOnFailure: () => Promise.resolve(false) },
  });
  let settle: (reason: Error | undefined) => void = () => undefined;
  const crashed = new Promise<Error | undefined>((resolve) => (settle = resolve));
  consumer.on(consumer.events.CRASH, ({ payload }) => settle(payload.error));
  // kafkajs goes on with a connection that answers nothing, for minutes. Another consumer has new ones.
  consumer.on(consumer.events.REQUEST_TIMEOUT, ({ payload: { apiName, broker } }) =>
    settle(Object.assign(new Error(`${broker} has not answered ${apiName} in time`), { retriable: true })),
  );
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 2,
      eachBatch: createEachBatch(options, stopping),
    });
  } catch (error) {
    await disconnect(consumer);
    throw kafkaFault(error);
  }
  return {
    crashed,
    stop: async () => {
      await disconnect(consumer);
      settle(undefined);
    },
  };
}

function createEachBatch({ handle, clock, random }: KafkaConsumerOptions, stopping: AbortSignal) {
  const failures = new Map<number, number>();

  return async (payload: EachBatchPayload): Promise<void> => {
    const { batch, resolveOffset, commitOffsetsIfNecessary } = payload;
    const { topic, partition, messages } = batch;
    const last = messages.at(-1);
    if (last === undefined) return;
    const { control, lost } = controlBatch(payload, stopping);
    try {
      await handle(
        messages.map((message) => receivedEvent(topic, partition, message)),
        control,
      );
    } catch {
      // Tells kafkajs to join the group again. The batch comes again, here or at another member.
      lost.signal.throwIfAborted();
      const count = (failures.get(partition) ?? 0) + 1;
      failures.set(partition, count);
      // Short enough that the group waits: kafkajs sends a heartbeat after each batch.
      await clock.sleep(Math.min(3_000, backoffMs(count, random)), stopping);
      return;
    }
    failures.delete(partition);
    // Not by the consumer's own method, which does nothing once a stop has begun. A failure is thrown to kafkajs: the
    // partition is another member's now, who gets the batch again, which changes nothing.
    const offset = (BigInt(last.offset) + 1n).toString();
    await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] });
    resolveOffset(last.offset);
  };
}

/** `lost` is aborted, with the error, as soon as a heartbeat shows that the batch is no longer this member's. */
function controlBatch({ heartbeat, isRunning }: EachBatchPayload, stopping: AbortSignal) {
  const lost = new AbortController();
  const control: BatchControl = {
    signal: AbortSignal.any([lost.signal, stopping]),
    heartbeat: async () => {
      if (stopping.aborted) return;
      if (!isRunning()) lost.abort(new Error('the consumer has crashed'));
      else await heartbeat().catch((error: unknown) => lost.abort(error));
      lost.signal.throwIfAborted();
    },
  };
  return { control, lost };
}

async function disconnect(consumer: KafkaConsumer): Promise<void> {
  await consumer.disconnect().catch(() => undefined);
}

export function receivedEvent(topic: string, partition: number, message: KafkaMessage): ReceivedEvent {
  return {
    key: message.key?.toString('utf8') ?? '',
    value: message.value ?? Buffer.alloc(0),
    headers: Object.fromEntries(
      Object.entries(message.headers ?? {}).map(([name, value]) => [name, String([value].flat()[0] ?? '')]),
    ),
    position: `${topic}/${String(partition)}/${message.offset}`,
  };
}
