import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { deletionAcceptedTopic, type Topic } from '@jobs-delete/proto/events';
import { messageOf } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { systemClock, systemRandom, type Clock, type Random } from '@jobs-delete/runtime/time/clock';
import type { Consumer, EventLog, EventRecord } from './event-log.ts';
import {
  connectKafka,
  isAway,
  kafkaFault,
  answerWithin,
  type KafkaConnection,
  type WarnLogger,
} from './kafka/connect-kafka.ts';
import { kafkaDeadLetters } from './kafka/dead-letters.ts';
import { startKafkaConsumer } from './kafka/kafka-consumer.ts';
import { createKafkaProducer } from './kafka/kafka-producer.ts';
import { measureLag, reportTopics, type TopicReport } from './kafka/topics.ts';

/** Brokers usually answer a consumer within 100 ms. After this time the connection counts as lost. */
const consumerRequestTimeoutMs = 10_000;

export interface KafkaEventLogOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** The timeout of one publish request. */
  readonly publishTimeoutMs?: number;
  /** The time without a heartbeat after which the group gives a member's partitions to others. */
  readonly sessionTimeoutMs?: number;
  /** The time after which a batch gives its partition up for a while. */
  readonly batchTimeoutMs?: number;
}

/**
 * Opens the event log on Kafka, for any number of processes.
 * @throws StartupError when no broker can be reached or topics are missing
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
    publish: (topic: Topic, events: readonly EventRecord[]) => producer.send(topicName(topic), events),
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
      answerWithin(measureLag(kafka, topicName(topic), groupName(group)), 5_000).catch((error: unknown) => {
        throw kafkaFault(error);
      }),
    // Kafka's topic retention expires events.
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
    return missingTopics(await answerWithin(reportTopics(connection), 5_000));
  } catch (error) {
    return kafkaFault(error).message;
  }
}

async function requireTopics(target: KafkaUrl, connection: KafkaConnection): Promise<void> {
  const reports = await reportTopics(connection).catch((error: unknown) => {
    throw new StartupError(`Cannot open the event log ${target.brokers.join(',')}: ${messageOf(error)}`, {
      cause: error,
      isTransient: isAway(error),
    });
  });
  const problem = missingTopics(reports);
  if (problem !== undefined) throw new StartupError(`${problem}. Run: jobs-delete topics create`);
}

/** Returns an error message that names the missing topics, or undefined. */
function missingTopics(reports: readonly TopicReport[]): string | undefined {
  const missing = reports.filter(({ state }) => state === 'missing').map(({ topic }) => topic);
  return missing.length === 0 ? undefined : `The event log lacks topics: ${missing.join(', ')}`;
}
