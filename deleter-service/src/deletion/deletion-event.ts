import {
  deletionAcceptedTopic,
  eventSource,
  jobDeletedTopic,
  maxJobsPerEvent,
  type DeletionAcceptedData,
  type JobDeletedData,
  type Topic,
} from '@jobs-delete/proto/events';
import { isJobId } from '@jobs-delete/proto/job-id';
import type { OutgoingEvent, ReceivedEvent } from '../event-log/event-log.ts';
import type { Deletion } from '../store/deletion.ts';

/** The deletion's events: one for each 1,000 jobs, with ids that are the same at every publication. */
export function toDeletionAcceptedEvents(deletion: Deletion): OutgoingEvent[] {
  const parts = Math.ceil(deletion.jobIds.length / maxJobsPerEvent);
  const { acceptedAtMs, origin } = deletion;
  const attributes = cloudEventAttributes(deletionAcceptedTopic, acceptedAtMs, origin.traceparent);
  return Array.from({ length: parts }, (_, part) => {
    const from = part * maxJobsPerEvent;
    const ids = deletion.jobIds.slice(from, from + maxJobsPerEvent);
    const data: DeletionAcceptedData = {
      deletion_id: deletion.id,
      account_id: deletion.accountId,
      part,
      parts,
      jobs: ids.map((id, index) => ({ id, claim: deletion.claims[from + index] ?? '' })),
    };
    const id = `${deletion.id}.${String(part)}`;
    return { key: deletion.id, id, headers: attributes, value: JSON.stringify(data) };
  });
}

export interface RemovedPart {
  readonly data: DeletionAcceptedData;
  readonly traceparent: string | undefined;
}

/** One event a job of the parts; `removedAtMs` is the time of this removal, the ids are the same each time. */
export function toJobDeletedEvents(parts: readonly RemovedPart[], removedAtMs: number): OutgoingEvent[] {
  const attributesOf = new Map<string | undefined, OutgoingEvent['headers']>();
  return parts.flatMap(({ data: { account_id, deletion_id, jobs }, traceparent }) => {
    const headers =
      attributesOf.get(traceparent) ?? cloudEventAttributes(jobDeletedTopic, removedAtMs, traceparent);
    attributesOf.set(traceparent, headers);
    const common: Omit<JobDeletedData, 'job_id' | 'claim'> = { account_id, deletion_id };
    const rest = JSON.stringify(common).slice(1, -1);
    return jobs.map(({ id, claim }) => {
      // JSON.stringify of each whole takes three times as long. A job's id needs no escaping.
      const value = `{"job_id":"${id}",${rest},"claim":${JSON.stringify(claim)}}`;
      return { key: id, id: `${deletion_id}.${claim}`, headers, value };
    });
  });
}

/** What all events have in common that are made at once, of the binary mode of CloudEvents 1.0 for Kafka. */
function cloudEventAttributes(type: Topic, timeMs: number, traceparent: string | undefined) {
  return {
    ce_specversion: '1.0',
    ce_type: type,
    ce_source: eventSource,
    ce_time: new Date(timeMs).toISOString(),
    'content-type': 'application/json',
    ...(traceparent !== undefined && { traceparent }),
  };
}

export type ParsedEvent =
  | { readonly kind: 'part'; readonly data: DeletionAcceptedData }
  | { readonly kind: 'poison'; readonly reason: string };

/** Trusts nothing: what anybody may have put on the topic is either well-formed throughout or poison. */
export function parseDeletionAccepted(event: ReceivedEvent): ParsedEvent {
  const type = event.headers.ce_type;
  if (type !== deletionAcceptedTopic)
    return poison(`its type is ${type ?? 'missing'}, not ${deletionAcceptedTopic}`);
  let value: unknown;
  try {
    value = JSON.parse(event.value.toString('utf8'));
  } catch {
    return poison('its value is not JSON');
  }
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
