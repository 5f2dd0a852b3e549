import { setTimeout as delay } from 'node:timers/promises';

/** What the protocol calls the states that a cluster leaves by itself. */
const passing = new Set([
  // The controller has not heard of enough brokers yet, or has lost sight of one for a moment.
  'INVALID_REPLICATION_FACTOR',
  'NOT_CONTROLLER',
  'REQUEST_TIMED_OUT',
  // Another process was faster: the next attempt finds its topics.
  'TOPIC_ALREADY_EXISTS',
  // The controller knows a topic before the brokers do, and a broker before it leads it.
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);

/** Attempts until it succeeds, fails for good, or has failed for 30 s: then throws the first cause. */
export async function retryWhileTransient<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const causes = causesOf(error);
      if (tries === 120 || !causes.every(passes)) throw causes[0];
      await delay(250);
    }
  }
}

/** kafkajs wraps an error once for the retries it has given up, and those of several topics once more. */
function causesOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error];
  if (error.name === 'KafkaJSAggregateError' && 'errors' in error) {
    return (error.errors as unknown[]).flatMap(causesOf);
  }
  const isWrapped =
    error.name === 'KafkaJSNumberOfRetriesExceeded' || error.name === 'KafkaJSNonRetriableError';
  return isWrapped && error.cause instanceof Error ? causesOf(error.cause) : [error];
}

/** A TypeError is how kafkajs stumbles over a topic that has no partitions yet. */
function passes(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TypeError' || ('type' in error && passing.has(String(error.type)));
}
