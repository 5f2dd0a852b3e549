import { deletionAcceptedTopic, jobDeletedTopic, type DeletionAcceptedData } from '@jobs-delete/proto/events';
import type { BatchControl, Consumer, DeadLetter, EventLog, ReceivedEvent } from '../event-log/event-log.ts';
import type { RemovalPart, RemovalStore } from '../store/store.ts';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import { nextTurn, type Clock, type Random } from '@jobs-delete/runtime/time/clock';
import { parseDeletionAccepted, toJobDeletedEvents } from './deletion-event.ts';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';
import { withHeartbeats } from './with-heartbeats.ts';

export interface RemovalWorkerOptions {
  readonly store: RemovalStore;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether each removed job is announced by an event of its own. */
  readonly jobDeletedEvents: boolean;
  readonly onError: (error: unknown, attempt: number) => void;
  readonly onDeadLetter: (letter: DeadLetter) => void;
  readonly onRemoved?: (removed: Removed) => void;
}

/** What one call of the store has removed. */
export interface Removed {
  readonly jobs: number;
  /** Of the deletions, or of the parts of one, that they were of. */
  readonly acceptedAtMs: readonly number[];
}

export const removalGroup = 'jobs-delete.removal';

/** What is removed, and then announced, in one go: between two of them the worker gives a sign of life. */
const maxJobsAtOnce = 4_000;

/**
 * Removes for good what the events on the log name. A batch goes through these steps, and if the process dies at
 * any of them, the whole batch comes again and changes nothing that is done already:
 * remove the jobs and record it → announce the removals → dead letters → the log moves the offset.
 */
export function startRemovalWorker(options: RemovalWorkerOptions): Promise<Consumer> {
  return options.eventLog.consume(deletionAcceptedTopic, removalGroup, (events, batch) =>
    processBatch(events, batch, options),
  );
}

async function processBatch(
  events: readonly ReceivedEvent[],
  batch: BatchControl,
  options: RemovalWorkerOptions,
) {
  const { eventLog, clock } = options;
  const { parts, poison } = sortOut(events);
  const failed: FailedEvent[] = [...poison];

  for (const some of splitByWeight(parts, ({ data }) => data.jobs.length, maxJobsAtOnce)) {
    batch.signal.throwIfAborted();
    failed.push(...(await removeParts(some, batch, options)));
    await batch.heartbeat();
    await nextTurn(clock);
  }
  const letters = failed.map(({ event, reason }) => deadLetter(event, reason, clock.now()));
  if (letters.length > 0) {
    await untilDone(() => eventLog.addDeadLetters(letters), batch, options);
    letters.forEach(options.onDeadLetter);
  }
}

/** Removes and then announces. @returns the events whose parts don't fit the record */
async function removeParts(
  sorted: readonly SortedPart[],
  batch: BatchControl,
  options: RemovalWorkerOptions,
): Promise<FailedEvent[]> {
  const { store, eventLog, clock, jobDeletedEvents } = options;
  const removedAtMs = clock.now();
  const parts = sorted.map(({ part }) => part);
  const answer = await untilDone(() => store.removeJobs(parts, removedAtMs), batch, options);
  const refused = new Set(answer.refused.map(({ index }) => index));
  const removed = sorted.filter((_, index) => !refused.has(index));
  if (answer.removed > 0) {
    const acceptedAtMs = removed.map(({ event }) => Date.parse(event.headers.ce_time ?? ''));
    options.onRemoved?.({ jobs: answer.removed, acceptedAtMs: acceptedAtMs.filter(Number.isFinite) });
  }
  if (jobDeletedEvents && removed.length > 0) {
    const kept = new Set(answer.kept);
    const removedParts = removed.map(({ event, data }) => ({
      data: { ...data, jobs: data.jobs.filter(({ claim }) => !kept.has(claim)) },
      traceparent: event.headers.traceparent,
    }));
    const announcements = toJobDeletedEvents(removedParts, removedAtMs);
    await untilDone(() => eventLog.publish(jobDeletedTopic, announcements), batch, options);
  }
  return answer.refused.flatMap(({ index, reason }) => {
    const event = sorted[index]?.event;
    return event === undefined ? [] : { event, reason };
  });
}

interface SortedPart {
  readonly event: ReceivedEvent;
  readonly data: DeletionAcceptedData;
  readonly part: RemovalPart;
}

/** An event for the dead letters. */
interface FailedEvent {
  readonly event: ReceivedEvent;
  readonly reason: string;
}

interface SortedEvents {
  parts: SortedPart[];
  poison: FailedEvent[];
}

function sortOut(events: readonly ReceivedEvent[]): SortedEvents {
  const sorted: SortedEvents = { parts: [], poison: [] };
  for (const event of events) {
    const parsed = parseDeletionAccepted(event);
    if (parsed.kind === 'poison') sorted.poison.push({ event, reason: parsed.reason });
    else sorted.parts.push({ event, data: parsed.data, part: toRemovalPart(parsed.data, event) });
  }
  return sorted;
}

function toRemovalPart(
  { deletion_id, account_id, part, parts, jobs }: DeletionAcceptedData,
  { headers: { traceparent } }: ReceivedEvent,
): RemovalPart {
  return {
    deletionId: deletion_id,
    accountId: account_id,
    part,
    parts,
    claims: jobs.map(({ claim }) => claim),
    traceparent,
  };
}

function deadLetter(event: ReceivedEvent, reason: string, failedAtMs: number): DeadLetter {
  return { id: event.headers.ce_id ?? event.position, reason, attempts: 1, failedAtMs, event };
}

/** Retries in place while the batch is this consumer's. A failing or hung store or log never costs an event. */
async function untilDone<Result>(
  step: () => Promise<Result>,
  batch: BatchControl,
  { clock, random, onError }: RemovalWorkerOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withHeartbeats(step, batch, clock);
    } catch (error) {
      if (batch.signal.aborted) throw error;
      onError(error, attempt);
      await batch.heartbeat();
      await clock.sleep(Math.min(3_000, backoffMs(attempt, random)), batch.signal);
    }
  }
}
