import type { Topic } from '@jobs-delete/proto/events';
import { Fault, messageOf } from '@jobs-delete/runtime/fault';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { withTimeLimit } from '@jobs-delete/runtime/time/clock';
import { Kafka, logLevel, type Admin, type SASLOptions } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';

export type WarnLogger = (message: string) => void;

export interface KafkaConnection {
  readonly kafka: Kafka;
  readonly topicName: (topic: Topic) => string;
  readonly groupName: (group: string) => string;
}

/**
 * Returns a client that is not connected yet. kafkajs retries a request for some seconds; longer retries are up to callers.
 * @param requestTimeoutMs the shortest timeout. Requests that wait for the consumer group may take longer.
 */
export function connectKafka(
  target: KafkaUrl,
  warn: WarnLogger = () => undefined,
  requestTimeoutMs = 30_000,
): KafkaConnection {
  const { brokers, tls, sasl, prefix = '' } = target;
  const kafka = new Kafka({
    clientId: 'jobs-delete',
    brokers: [...brokers],
    ssl: tls,
    ...(sasl !== undefined && { sasl: sasl as SASLOptions }),
    connectionTimeout: 3_000,
    requestTimeout: requestTimeoutMs,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 },
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, log }) => {
        if (!log.message.startsWith(expectedWarning)) warn(`${namespace}: ${log.message}`);
      },
  });
  return { kafka, topicName: (topic) => prefix + topic, groupName: (group) => prefix + group };
}

/** Calls `use` with a new connection and closes it afterwards. */
export async function withAdmin<Result>(
  kafka: Kafka,
  use: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

/** kafkajs warns of limited retries. That is intended: a new producer takes over, and publishing twice is harmless. */
const expectedWarning = 'Limiting retries for the idempotent producer';

/** Treats every broker failure as transient. Publishing twice is harmless, since event ids are stable. */
export function kafkaFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault('unavailable', `Kafka: ${messageOf(error)}`, error);
}

/** Returns whether the brokers are unreachable for now. Refused credentials and certificates are no such failure. */
export function isAway(error: unknown): boolean {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error) || /certificate/i.test(cause.message)) return false;
  return 'retriable' in cause && cause.retriable === true;
}

/** Rejects after the timeout, because most kafkajs calls have none. The attempt itself continues. */
export function answerWithin<Result>(attempt: Promise<Result>, timeoutMs: number): Promise<Result> {
  return withTimeLimit(attempt, timeoutMs, () => {
    throw new Error(`no answer within ${String(timeoutMs)} ms`);
  });
}

/** Kafka's error codes for states that a cluster leaves by itself. */
const transientTypes = new Set([
  // The controller does not see enough brokers yet, or has lost one for a moment.
  'INVALID_REPLICATION_FACTOR',
  'NOT_CONTROLLER',
  'REQUEST_TIMED_OUT',
  // Another process has created the topic. The next attempt finds it.
  'TOPIC_ALREADY_EXISTS',
  // The controller knows a new topic before the brokers do.
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);

/** Retries for 30 s while all causes are transient. Then, or at another error, throws the first cause. */
export async function retryWhileTransient<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const causes = causesOf(error);
      if (tries === 120 || !causes.every(isTransientCause)) throw causes[0];
      await delay(250);
    }
  }
}

/** Unwraps the errors of kafkajs: one layer for exhausted retries, one more for several topics. */
function causesOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error];
  if (error.name === 'KafkaJSAggregateError' && 'errors' in error) {
    return (error.errors as unknown[]).flatMap(causesOf);
  }
  const isWrapped =
    error.name === 'KafkaJSNumberOfRetriesExceeded' || error.name === 'KafkaJSNonRetriableError';
  return isWrapped && error.cause instanceof Error ? causesOf(error.cause) : [error];
}

/** kafkajs throws a TypeError for a topic that has no partitions yet. */
function isTransientCause(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TypeError' || ('type' in error && transientTypes.has(String(error.type)));
}

/** kafkajs treats these errors as final after its retries. An outage of the brokers causes them. */
const outageErrors = new Set([
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSBrokerNotFound',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSTimeout',
  'KafkaJSLockTimeout',
]);

/** Returns whether a retry may succeed. Other errors follow kafkajs' rule: https://kafka.js.org/docs/retry-mechanism-explained */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (outageErrors.has(error.name)) return true;
  return error.cause instanceof Error
    ? isTransient(error.cause)
    : 'retriable' in error && error.retriable === true;
}
