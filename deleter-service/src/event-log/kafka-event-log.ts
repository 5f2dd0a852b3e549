import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { deletionAcceptedTopic, type Topic } from '@jobs-delete/proto/events';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { systemClock, systemRandom, type Clock, type Random } from '@jobs-delete/runtime/time/clock';
import type { Consumer, EventLog, OutgoingEvent } from './event-log.ts';
import {
  connectKafka,
  isAway,
  kafkaFault,
  withTimeLimit,
  type KafkaConnection,
  type WarnLogger,
} from './kafka/connect-kafka.ts';
import { kafkaDeadLetters } from './kafka/dead-letters.ts';
import { startKafkaConsumer } from './kafka/kafka-consumer.ts';
import { createKafkaProducer } from './kafka/kafka-producer.ts';
import { measureLag } from './kafka/measure-lag.ts';
import { reportTopics } from './kafka/topics.ts';

/**
 * A consumer's requests are answered within a tenth of a second as a rule. One that takes this long is taken for lost with
 * its connection.
 */
const consumerRequestTimeoutMs = 10_000;

export interface KafkaEventLogOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** How long one request to publish may take. */
  readonly publishTimeoutMs?: number;
  /** After how long without a heartbeat the group gives a member's partitions to others. */
  readonly sessionTimeoutMs?: number;
}

/**
 * The event log on Kafka, for any number of processes: kafkajs, kept thin.
 * @throws StartupError when the brokers can't be reached or topics are missing
 */
export async function openKafkaEventLog(
  target: KafkaUrl,
  warn?: WarnLogger,
  options: KafkaEventLogOptions = {},
): Promise<EventLog> {
  const { clock = systemClock, random = systemRandom, publishTimeoutMs, ...consumerOptions } = options;
  const connection = connectKafka(target, warn);
  await requireTopics(target, connection);
  const { kafka, topicName, groupName } = connection;
  const producer = createKafkaProducer(kafka, {
    togetherOn: topicName(deletionAcceptedTopic),
    ...(publishTimeoutMs !== undefined && { timeoutMs: publishTimeoutMs }),
  });
  const consumers = new Set<Consumer>();

  return {
    ...kafkaDeadLetters(connection, producer),
    publish: (topic: Topic, events: readonly OutgoingEvent[]) => producer.send(topicName(topic), events),
    consume: async (topic, group, handle) => {
      const names = { topic: topicName(topic), group: groupName(group) };
      const consumer = await startKafkaConsumer(connectKafka(target, warn, consumerRequestTimeoutMs).kafka, {
        ...consumerOptions,
        ...names,
        handle,
        clock,
        random,
      });
      consumers.add(consumer);
      return consumer;
    },
    measureLag: (topic, group) =>
      withTimeLimit(measureLag(kafka, topicName(topic), groupName(group)), 5_000).catch((error: unknown) => {
        throw kafkaFault(error);
      }),
    // The topics' own retention does it.
    expireEvents: () => Promise.resolve(0),
    check: () => check(connection),
    close: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await producer.close();
    },
  };
}

async function check(connection: KafkaConnection): Promise<string | undefined> {
  try {
    return lackOf(await withTimeLimit(reportTopics(connection), 5_000));
  } catch (error) {
    return kafkaFault(error).message;
  }
}

async function requireTopics(target: KafkaUrl, connection: KafkaConnection): Promise<void> {
  const reports = await reportTopics(connection).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`Cannot open the event log ${target.brokers.join(',')}: ${reason}`, {
      cause: error,
      isTransient: isAway(error),
    });
  });
  const lack = lackOf(reports);
  if (lack !== undefined) throw new StartupError(`${lack}. Run: jobs-delete topics create`);
}

function lackOf(reports: Awaited<ReturnType<typeof reportTopics>>): string | undefined {
  const missing = reports.filter(({ state }) => state === 'missing').map(({ topic }) => topic);
  return missing.length === 0 ? undefined : `The event log lacks topics: ${missing.join(', ')}`;
}
