import { isUtf8 } from 'node:buffer';
import {
  deletionAcceptedTopic,
  deletionCancelledTopic,
  eventSource,
  jobsDeletedTopic,
  maxJobsPerEvent,
  type DeletionAcceptedData,
  type DeletionCancelledData,
  type DeletionPart,
  type JobsDeletedData,
  type Topic,
} from '@jobs-delete/proto/events';
import { isJobId } from '@jobs-delete/proto/ids';
import { parseJson } from '@jobs-delete/runtime/text/safe-text';
import type { EventRecord, ReceivedEvent } from '../event-log/event-log.ts';
import type { Deletion } from '../store/deletion.ts';

/** Returns the events of a deletion as the schema has them. */
export function toDeletionAcceptedEvents(deletion: Deletion): EventRecord[] {
  return toPartEvents(deletion, maxJobsPerEvent);
}

/** Returns one event for each `maxJobs` jobs of the deletion. Ids and times are the same at every publication. */
export function toPartEvents(deletion: Deletion, maxJobs: number): EventRecord[] {
  const { id, accountId, acceptedAtMs, removalAtMs, origin } = deletion;
  const parts = Math.ceil(deletion.jobIds.length / maxJobs);
  return Array.from({ length: parts }, (_, part) => {
    const from = part * maxJobs;
    const ids = deletion.jobIds.slice(from, from + maxJobs);
    const jobs = ids.map((jobId, index) => ({ id: jobId, claim: deletion.claims[from + index] ?? '' }));
    const data: DeletionAcceptedData = { deletion_id: id, account_id: accountId, part, parts, jobs };
    const headers = cloudEventHeaders(
      deletionAcceptedTopic,
      partId(data),
      removalAtMs ?? acceptedAtMs,
      origin.traceparent,
    );
    return { key: id, headers, value: toJson(data) };
  });
}

/**
 * Returns the announcement of a removed part. Its id is the same at every redelivery of the part.
 * @param removed the part, with the jobs that are removed
 */
export function toJobsDeletedEvent(
  removed: JobsDeletedData,
  removedAtMs: number,
  traceparent: string | undefined,
): EventRecord {
  const { deletion_id, account_id, part, parts } = removed;
  const jobs = removed.jobs.map(({ id, claim }) => ({ id, claim }));
  const data: JobsDeletedData = { deletion_id, account_id, part, parts, jobs };
  const headers = cloudEventHeaders(jobsDeletedTopic, partId(data), removedAtMs, traceparent);
  return { key: account_id, headers, value: toJson(data) };
}

/** Returns the event of a cancelled deletion. Its id and time are the same at every publication. */
export function toDeletionCancelledEvent(deletion: Deletion): EventRecord {
  const { id, accountId, jobIds, acceptedAtMs, cancelledAtMs = acceptedAtMs, origin } = deletion;
  const data: DeletionCancelledData = { deletion_id: id, account_id: accountId, job_count: jobIds.length };
  const headers = cloudEventHeaders(deletionCancelledTopic, id, cancelledAtMs, origin.traceparent);
  return { key: accountId, headers, value: toJson(data) };
}

/** A topic has one event for each part. */
function partId({ deletion_id, part }: DeletionPart): string {
  return `${deletion_id}.${String(part)}`;
}

/** CloudEvents 1.0, binary mode for Kafka. */
function cloudEventHeaders(type: Topic, id: string, timeMs: number, traceparent: string | undefined) {
  return {
    ce_specversion: '1.0',
    ce_id: id,
    ce_type: type,
    ce_source: eventSource,
    ce_time: new Date(timeMs).toISOString(),
    'content-type': 'application/json',
    ...(traceparent !== undefined && { traceparent }),
  };
}

function toJson(data: object): Buffer {
  return Buffer.from(JSON.stringify(data));
}

export type ParsedEvent =
  | { readonly kind: 'part'; readonly data: DeletionAcceptedData }
  | { readonly kind: 'poison'; readonly reason: string };

/** Checks everything: anybody with access to Kafka can publish on the topic. Returns poison for an invalid event. */
export function parseDeletionAccepted(event: ReceivedEvent): ParsedEvent {
  const type = event.headers.ce_type;
  if (type !== deletionAcceptedTopic)
    return poison(`its type is ${type ?? 'missing'}, not ${deletionAcceptedTopic}`);
  if (!isUtf8(event.value)) return poison('its value is not UTF-8');
  const value = parseJson(event.value.toString('utf8'));
  if (value === undefined) return poison('its value is not JSON');
  return isDeletionAccepted(value)
    ? { kind: 'part', data: value }
    : poison('its value does not fit the schema');
}

function poison(reason: string): ParsedEvent {
  return { kind: 'poison', reason };
}

function isDeletionAccepted(value: unknown): value is DeletionAcceptedData {
  if (!isRecord(value)) return false;
  const { deletion_id, account_id, part, parts, jobs } = value;
  return (
    isText(deletion_id) &&
    isText(account_id) &&
    Number.isSafeInteger(part) &&
    Number.isSafeInteger(parts) &&
    (part as number) >= 0 &&
    (part as number) < (parts as number) &&
    Array.isArray(jobs) &&
    jobs.length > 0 &&
    jobs.length <= maxJobsPerEvent &&
    jobs.every((job) => isRecord(job) && isJobId(job.id) && isText(job.claim))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
