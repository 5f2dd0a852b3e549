import type { Topic } from '@jobs-delete/proto/events';
import { Fault } from '@jobs-delete/runtime/fault';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Admin, SASLOptions } from 'kafkajs';
import { Kafka, logLevel } from './kafkajs.ts';

export type WarnLogger = (message: string) => void;

export interface KafkaConnection {
  readonly kafka: Kafka;
  readonly topicName: (topic: Topic) => string;
  readonly groupName: (group: string) => string;
}

/**
 * A client that has not connected yet. Retries are the callers', who know what an attempt means.
 * @param requestTimeoutMs the least: a request that waits for the group may take longer
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
        if (!log.message.startsWith(meant)) warn(`${namespace}: ${log.message}`);
      },
  });
  return { kafka, topicName: (topic) => prefix + topic, groupName: (group) => prefix + group };
}

/** With a connection of its own, which it closes. */
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

/** That a producer gives up after a few attempts: the next one takes over, and twice is harmless. */
const meant = 'Limiting retries for the idempotent producer';

/** Every failure of the broker may pass; what may have reached the log is harmless twice. */
export function kafkaFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault('unavailable', `Kafka: ${error instanceof Error ? error.message : String(error)}`, error);
}

/** That no broker answers may pass; refused credentials and certificates stay refused. */
export function isAway(error: unknown): boolean {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (!(cause instanceof Error) || /certificate/i.test(cause.message)) return false;
  return 'retriable' in cause && cause.retriable === true;
}

/** kafkajs has no time limit of its own for most of what it does. The attempt itself goes on. */
export async function withTimeLimit<Result>(attempt: Promise<Result>, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${String(timeoutMs)} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([attempt, givenUp]);
  } finally {
    clearTimeout(timer);
  }
}
