/** For kafkajs these are for good, as it has tried long enough. They are what an outage of the brokers looks like. */
const passing = new Set([
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSBrokerNotFound',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSTimeout',
  'KafkaJSLockTimeout',
]);

/** Beyond that, kafkajs's own rule for restarts: https://kafka.js.org/docs/retry-mechanism-explained */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (passing.has(error.name)) return true;
  return error.cause instanceof Error
    ? isTransient(error.cause)
    : 'retriable' in error && error.retriable === true;
}
