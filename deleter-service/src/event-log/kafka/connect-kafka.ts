import type { Topic } from '@jobs-delete/proto/events';
import { Fault } from '@jobs-delete/runtime/fault';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { withTimeLimit } from '@jobs-delete/runtime/time/time-limit';
import { Kafka, logLevel, type Admin, type SASLOptions } from 'kafkajs';

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
  return new Fault('unavailable', `Kafka: ${error instanceof Error ? error.message : String(error)}`, error);
}

/** Returns whether the brokers are unreachable for now. Refused credentials and certificates are no such failure. */
export function isAway(error: unknown): boolean {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error) || /certificate/i.test(cause.message)) return false;
  return 'retriable' in cause && cause.retriable === true;
}

/** Rejects after the timeout, because most kafkajs calls have none. The attempt itself continues. */
export function requireAnswer<Result>(attempt: Promise<Result>, timeoutMs: number): Promise<Result> {
  return withTimeLimit(attempt, timeoutMs, () => {
    throw new Error(`no answer within ${String(timeoutMs)} ms`);
  });
}
