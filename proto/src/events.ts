/**
 * The events on the log. Each is a CloudEvent 1.0 in Kafka's binary content mode: the attributes are headers
 * (`ce_id`, `ce_type`, `ce_source`, `ce_specversion`, `ce_time`), the value is `data` as JSON.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
 * The header `traceparent` names the trace of the event, if there is one.
 * The JSON schemas of the data are in proto/schemas/.
 */
export const deletionAcceptedTopic = 'jobs.deletion-accepted.v1';
export const jobsDeletedTopic = 'jobs.deleted.v1';
export const deletionCancelledTopic = 'jobs.deletion-cancelled.v1';
export const deadLetterTopic = 'jobs.deletion-accepted.v1.dead-letter';

export const topics = [
  deletionAcceptedTopic,
  jobsDeletedTopic,
  deletionCancelledTopic,
  deadLetterTopic,
] as const;
export type Topic = (typeof topics)[number];

export const eventSource = '/jobs-delete/deleter-service';

/** Part of v1: the id of an event names its part, so parts must never be cut in another size. */
export const maxJobsPerEvent = 1_000;

/** Key: the deletion's id. A deletion of more than maxJobsPerEvent jobs has several parts, one event each. */
export interface DeletionAcceptedData extends DeletionPart {
  /** 1 to 1,000 jobs. */
  jobs: ClaimedJob[];
}

/**
 * Key: the account's id. Published after the jobs of the part are removed, at least once. `ce_id` is the same each time,
 * so consumers can ignore a repetition.
 */
export interface JobsDeletedData extends DeletionPart {
  /** 1 to 1,000 jobs. Jobs of the part that were kept, because they changed after acceptance, are missing. */
  jobs: ClaimedJob[];
}

/** Key: the account's id. Published after the cancellation, at least once, with the same `ce_id` each time. */
export interface DeletionCancelledData {
  deletion_id: string;
  account_id: string;
  /** The number of the deletion's jobs, which stay. */
  job_count: number;
}

export interface DeletionPart {
  deletion_id: string;
  account_id: string;
  /** Zero-based, below `parts`. */
  part: number;
  parts: number;
}

export interface ClaimedJob {
  id: string;
  /** Identifies this posting. A later posting under the same id has another claim. */
  claim: string;
}
