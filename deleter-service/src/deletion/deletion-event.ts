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
import type { Deletion } from './deletion.ts';

/** The deletion's events: one for each 1,000 jobs, with ids that are the same at every publication. */
export function toDeletionAcceptedEvents(deletion: Deletion): OutgoingEvent[] {
  const parts = Math.ceil(deletion.jobIds.length / maxJobsPerEvent);
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
    return cloudEvent(
      deletionAcceptedTopic,
      `${deletion.id}.${String(part)}`,
      deletion.id,
      deletion.acceptedAtMs,
      data,
      deletion.origin.traceparent,
    );
  });
}

/** One event a job of the part; `removedAtMs` is the time of this removal, the ids are the same each time. */
export function toJobDeletedEvents(
  part: DeletionAcceptedData,
  removedAtMs: number,
  traceparent?: string,
): OutgoingEvent[] {
  return part.jobs.map(({ id, claim }) => {
    const data: JobDeletedData = {
      job_id: id,
      account_id: part.account_id,
      deletion_id: part.deletion_id,
      claim,
    };
    return cloudEvent(jobDeletedTopic, `${part.deletion_id}.${claim}`, id, removedAtMs, data, traceparent);
  });
}

function cloudEvent(
  type: Topic,
  id: string,
  key: string,
  timeMs: number,
  data: unknown,
  traceparent: string | undefined,
): OutgoingEvent {
  return {
    key,
    headers: {
      ce_specversion: '1.0',
      ce_id: id,
      ce_type: type,
      ce_source: eventSource,
      ce_time: new Date(timeMs).toISOString(),
      'content-type': 'application/json',
      ...(traceparent !== undefined && { traceparent }),
    },
    value: Buffer.from(JSON.stringify(data)),
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
