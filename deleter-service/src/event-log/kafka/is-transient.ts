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
