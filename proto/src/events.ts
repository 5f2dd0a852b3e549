/**
 * The events on the log. Each is a CloudEvent 1.0 in Kafka's binary content mode: the attributes are headers
 * (`ce_id`, `ce_type`, `ce_source`, `ce_specversion`, `ce_time`), the value is `data` as JSON.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
 * Beside them `traceparent` has the trace that the event is part of, where there is one.
 * The schemas of the data stand in proto/schemas/.
 */
export const deletionAcceptedTopic = 'jobs.deletion-accepted.v1';
export const jobDeletedTopic = 'jobs.deleted.v1';
export const deadLetterTopic = 'jobs.deletion-accepted.v1.dead-letter';

export const topics = [deletionAcceptedTopic, jobDeletedTopic, deadLetterTopic] as const;
export type Topic = (typeof topics)[number];

export const eventSource = '/jobs-delete/deleter-service';

/** Key: the deletion's id. A deletion of more than maxJobsPerEvent jobs makes several parts. */
export interface DeletionAcceptedData {
  deletion_id: string;
  account_id: string;
  /** Zero-based, below `parts`. */
  part: number;
  parts: number;
  /** 1 to 1,000: the job's id, and the claim that names this very posting. */
  jobs: { id: string; claim: string }[];
}

export const maxJobsPerEvent = 1_000;

/** Key: the job's id. At least once, after the job is gone for good; `ce_id` is the same each time. */
export interface JobDeletedData {
  job_id: string;
  account_id: string;
  deletion_id: string;
  /** Tells this posting from a later one under the same id. */
  claim: string;
}
