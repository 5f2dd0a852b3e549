import { setTimeout as delay } from 'node:timers/promises';

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
