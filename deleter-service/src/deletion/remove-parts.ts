import { jobsDeletedTopic, type DeletionAcceptedData } from '@jobs-delete/proto/events';
import { groupBy } from '@jobs-delete/runtime/batching/groups';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { EventLog, EventRecord, ReceivedEvent } from '../event-log/event-log.ts';
import type { DeletionKey, RemovalPart, RemovalStore } from '../store/store.ts';
import { toJobsDeletedEvent } from './deletion-event.ts';

/** A part of a deletion, from an event. */
export interface ParsedPart {
  readonly event: ReceivedEvent;
  readonly data: DeletionAcceptedData;
}

/** An event for the dead letters. */
export interface FailedEvent {
  readonly event: ReceivedEvent;
  readonly reason: string;
}

/** The effect of one call of the store. */
export interface Removed {
  readonly jobs: number;
  /** When the deletions of the parts were accepted, one time for each part. */
  readonly acceptedAtMs: readonly number[];
}

export interface RemovePartsOptions {
  readonly store: RemovalStore;
  readonly eventLog: Pick<EventLog, 'publish'>;
  readonly clock: Clock;
  /** If true, an event announces the removed jobs of each part. */
  readonly jobDeletedEvents: boolean;
  readonly onRemoved?: (removed: Removed) => void;
}

/**
 * Removes the jobs of the parts, announces that, then records it. Returns the events that the store refuses.
 *
 * Invariant: a removal is recorded only after its announcement is on the log. Until all parts are recorded, the deletion is
 * due. So a process may die or stop waiting after any step, and may forget the parts: they are published again, and the
 * steps that were done have no second effect, except that an announcement is repeated.
 */
export async function removeParts(
  parts: readonly ParsedPart[],
  { store, eventLog, clock, jobDeletedEvents, onRemoved }: RemovePartsOptions,
): Promise<FailedEvent[]> {
  const atMs = clock.now();
  const answer = await store.removeJobs(parts.map(toRemovalPart));
  const reasons = new Map(answer.refused.map(({ index, reason }) => [index, reason]));
  const removed = parts.filter((_, index) => !reasons.has(index));
  if (answer.removed > 0) {
    const acceptedAtMs = removed.map(({ event }) => Date.parse(event.headers.ce_time ?? ''));
    onRemoved?.({ jobs: answer.removed, acceptedAtMs: acceptedAtMs.filter(Number.isFinite) });
  }
  const events = jobDeletedEvents ? announcementsOf(removed, new Set(answer.kept), atMs) : [];
  if (events.length > 0) await eventLog.publish(jobsDeletedTopic, events);
  if (answer.parts.length > 0) await store.recordRemovals(answer.parts, clock.now());
  return parts.flatMap(({ event }, index) => {
    const reason = reasons.get(index);
    return reason === undefined ? [] : [{ event, reason }];
  });
}

/** Returns one event for each part that has removed jobs. */
function announcementsOf(
  removed: readonly ParsedPart[],
  kept: ReadonlySet<string>,
  atMs: number,
): EventRecord[] {
  return removed.flatMap(({ data, event }) => {
    const jobs = data.jobs.filter(({ claim }) => !kept.has(claim));
    return jobs.length === 0 ? [] : [toJobsDeletedEvent({ ...data, jobs }, atMs, event.headers.traceparent)];
  });
}

function toRemovalPart({ data, event }: ParsedPart): RemovalPart {
  return {
    deletionId: data.deletion_id,
    accountId: data.account_id,
    part: data.part,
    parts: data.parts,
    claims: data.jobs.map(({ claim }) => claim),
    traceparent: event.headers.traceparent,
  };
}

/** Returns each deletion of the parts once. */
export function keysOf(parts: readonly ParsedPart[]): DeletionKey[] {
  const accounts = new Map(parts.map(({ data }) => [data.deletion_id, data.account_id]));
  return [...accounts].map(([deletionId, accountId]) => ({ deletionId, accountId }));
}

export function accountsOf(parts: readonly ParsedPart[]): string[] {
  return [...new Set(parts.map(({ data }) => data.account_id))];
}

/** Returns the account of parts that are all of one. */
export function accountOf(parts: readonly ParsedPart[]): string {
  return parts[0]?.data.account_id ?? '';
}

export function groupByAccount(parts: readonly ParsedPart[]): ParsedPart[][] {
  return [...groupBy(parts, ({ data }) => data.account_id).values()];
}
