import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import {
  linkAbort,
  backoffMs,
  type Clock,
  type Random,
  withTimeLimit,
} from '@jobs-delete/runtime/time/clock';
import type { BatchControl, BatchHandler, Consumer, ReceivedEvent } from '../event-log.ts';
import { kafkaFault, isTransient } from './connect-kafka.ts';

export interface KafkaConsumerOptions {
  /** Topic and group with the prefix. */
  readonly topic: string;
  readonly group: string;
  readonly handle: BatchHandler;
  readonly clock: Clock;
  readonly random: Random;
  readonly sessionTimeoutMs?: number;
  /**
   * The time after which a batch gives its partition up for a while. kafkajs fetches from a broker again only when all
   * batches of the previous fetch have ended, so a longer one would stop the other partitions of the broker.
   */
  readonly batchTimeoutMs?: number;
}

/**
 * Joins the group and handles one batch of a partition at a time. Commits the offset after the batch is processed. A batch
 * that failed, or that this member has lost, is delivered again.
 *
 * Replaces a kafkajs consumer that has crashed or whose broker does not answer: kafkajs' own restart can't be stopped.
 */
export async function startKafkaConsumer(kafka: Kafka, options: KafkaConsumerOptions): Promise<Consumer> {
  const stopping = new AbortController();
  let running = await runConsumer(kafka, options, stopping.signal);

  const supervise = async () => {
    for (;;) {
      const error = await running.crashed;
      // A consumer on lost connections waits for answers that never arrive. It ends by itself later.
      await withTimeLimit(running.stop(), 2_000, () => undefined).catch(() => undefined);
      if (stopping.signal.aborted) return;
      if (!isTransient(error)) throw kafkaFault(error);
      running = (await runAgain(kafka, options, stopping.signal)) ?? running;
      if (isAborted(stopping.signal)) await running.stop();
    }
  };
  const supervised = supervise();
  // A caller may ignore `ended`. Its rejection must not end the process then.
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

/** Retries with backoff until a new consumer runs. Returns undefined when it is stopped meanwhile. */
async function runAgain(
  kafka: Kafka,
  options: KafkaConsumerOptions,
  stopping: AbortSignal,
): Promise<RunningConsumer | undefined> {
  const { clock, random } = options;
  for (let attempt = 1; ; attempt++) {
    await clock.sleep(backoffMs(attempt, random, maxReplaceWaitMs), stopping);
    if (isAborted(stopping)) return undefined;
    try {
      return await runConsumer(kafka, options, stopping);
    } catch (error) {
      if (error instanceof Error && !isTransient(error.cause)) throw error;
    }
  }
}

/** Reads the signal through a function: the compiler would take an earlier check for still true. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** The longest wait between attempts to replace a crashed consumer. Short, so that workers return soon after the brokers. */
const maxReplaceWaitMs = 2_000;

/**
 * The longest time that a rebalance waits for the group's members. After an outage the group still counts the crashed
 * consumer, and without this limit all members would wait until its session ends. A live member learns of the rebalance
 * at its next heartbeat and leaves its batch at once.
 */
const rebalanceTimeoutMs = 5_000;
const heartbeatIntervalMs = 2_000;

interface RunningConsumer {
  /** Resolves with the error when the consumer has crashed, or with undefined when it was stopped. */
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
  // kafkajs keeps a connection without answers for minutes. A new consumer has new connections.
  consumer.on(consumer.events.REQUEST_TIMEOUT, ({ payload: { apiName, broker } }) =>
    settle(
      Object.assign(new Error(`the broker ${broker} did not answer ${apiName} in time`), { retriable: true }),
    ),
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

/** The longest pause of a partition whose batch has failed. */
const maxPauseMs = 10_000;

function createEachBatch(options: KafkaConsumerOptions, stopping: AbortSignal) {
  const { handle, clock, random, batchTimeoutMs = 20_000 } = options;
  const failures = new Map<number, number>();

  return async (payload: EachBatchPayload): Promise<void> => {
    const { batch, resolveOffset, commitOffsetsIfNecessary } = payload;
    const { topic, partition, messages } = batch;
    const last = messages.at(-1);
    if (last === undefined) return;
    const { control, lost, giveUp, unlink } = controlBatch(payload, stopping);
    const events = messages.map((message) => receivedEvent(topic, partition, message));
    try {
      await withTimeLimit(handle(events, control), batchTimeoutMs, () => giveUp(batchTimeoutMs), clock);
    } catch {
      // A throw makes kafkajs join the group again. A member of the group then receives the batch again.
      lost.signal.throwIfAborted();
      const count = (failures.get(partition) ?? 0) + 1;
      failures.set(partition, count);
      // The batch is not resolved, so it is delivered again after the pause.
      const resume = payload.pause();
      void clock.sleep(backoffMs(count, random, maxPauseMs), stopping).then(resume);
      return;
    } finally {
      unlink();
    }
    failures.delete(partition);
    // The consumer's own commit method has no effect once a stop has begun. If this commit fails, another member owns
    // the partition and receives the batch again, which has no second effect.
    const offset = (BigInt(last.offset) + 1n).toString();
    await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] });
    resolveOffset(last.offset);
  };
}

/**
 * Aborts `lost`, with the error, when a heartbeat shows that this member has lost the batch. `unlink` must be called when
 * the batch has ended.
 */
function controlBatch({ heartbeat, isRunning }: EachBatchPayload, stopping: AbortSignal) {
  const lost = new AbortController();
  const givenUp = new AbortController();
  const stopped = linkAbort(stopping);
  const control: BatchControl = {
    signal: AbortSignal.any([lost.signal, givenUp.signal, stopped.signal]),
    heartbeat: async () => {
      if (stopping.aborted) return;
      if (!isRunning()) lost.abort(new Error('the consumer has crashed'));
      else await heartbeat().catch((error: unknown) => lost.abort(error));
      lost.signal.throwIfAborted();
    },
  };
  /** Ends the batch, and throws. The handler may continue: removing again has no second effect. */
  const giveUp = (timeoutMs: number) => {
    givenUp.abort(new Error(`the batch did not end within ${String(timeoutMs)} ms`));
    givenUp.signal.throwIfAborted();
  };
  return { control, lost, giveUp, unlink: stopped.unlink };
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
