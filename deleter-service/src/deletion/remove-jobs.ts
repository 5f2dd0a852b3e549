import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import { nextTurn, type Clock, type Random } from '@jobs-delete/runtime/time/clock';
import type {
  BatchControl,
  Consumer,
  DeadLetter,
  EventLog,
  EventRecord,
  ReceivedEvent,
} from '../event-log/event-log.ts';
import type { OutboxStore, ReceiptStore, RemovalStore } from '../store/store.ts';
import { parseDeletionAccepted, toJobsDeletedEvent } from './deletion-event.ts';
import { createRemoval, type ParsedPart, type Removal, type RemovedParts } from './remove-by-account.ts';
import { withHeartbeats } from './with-heartbeats.ts';

export interface RemovalWorkerOptions {
  readonly store: RemovalStore & Pick<OutboxStore, 'postpone'> & Pick<ReceiptStore, 'findStates'>;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  readonly random: Random;
  /** If true, an event announces the removed jobs of each part. */
  readonly jobDeletedEvents: boolean;
  readonly onError: (error: unknown, attempt: number) => void;
  readonly onDeadLetter: (letter: DeadLetter) => void;
  readonly onRemoved?: (removed: Removed) => void;
  readonly onPostponed?: (accountId: string, deletions: number, error: unknown) => void;
}

/** The effect of one call of the store. */
export interface Removed {
  readonly jobs: number;
  /** When the deletions of the parts were accepted, one time for each part. */
  readonly acceptedAtMs: readonly number[];
}

export const removalGroup = 'jobs-delete.removal';

/** The most jobs removed and announced in one step. The worker sends a heartbeat after each step. */
const maxJobsPerStep = 4_000;

/**
 * Removes the jobs that the events name. The steps of a batch are: remove the jobs and record it, announce the removals,
 * add dead letters, move the offset. If the process dies, the log delivers the whole batch again, and steps that are
 * already done have no second effect.
 */
export function startRemovalWorker(options: RemovalWorkerOptions): Promise<Consumer> {
  const removal = createRemoval(options, (late) => announceLate(late, options));
  return options.eventLog.consume(deletionAcceptedTopic, removalGroup, (events, batch) =>
    processBatch(events, batch, removal, options),
  );
}

async function processBatch(
  events: readonly ReceivedEvent[],
  batch: BatchControl,
  removal: Removal,
  options: RemovalWorkerOptions,
) {
  const { eventLog, clock } = options;
  const { parts, poison } = parseEvents(events);
  const failed: FailedEvent[] = [...poison];

  for (const step of splitByWeight(parts, ({ data }) => data.jobs.length, maxJobsPerStep)) {
    batch.signal.throwIfAborted();
    failed.push(...(await removeParts(step, batch, removal, options)));
    await batch.heartbeat();
    await nextTurn(clock);
  }
  const letters = failed.map(({ event, reason }) => deadLetter(event, reason, clock.now()));
  if (letters.length > 0) {
    await untilDone(() => eventLog.addDeadLetters(letters), batch, options);
    letters.forEach(options.onDeadLetter);
  }
}

/** Removes the parts, then announces them. Returns the events that the store refused. */
async function removeParts(
  parts: readonly ParsedPart[],
  batch: BatchControl,
  removal: Removal,
  options: RemovalWorkerOptions,
): Promise<FailedEvent[]> {
  const refused: FailedEvent[] = [];
  for (const { answer, atMs, ...done } of await removal(parts, batch)) {
    const reasons = new Map(answer.refused.map(({ index, reason }) => [index, reason]));
    const removed = done.parts.filter((_, index) => !reasons.has(index));
    if (answer.removed > 0) {
      const acceptedAtMs = removed.map(({ event }) => Date.parse(event.headers.ce_time ?? ''));
      options.onRemoved?.({ jobs: answer.removed, acceptedAtMs: acceptedAtMs.filter(Number.isFinite) });
    }
    if (options.jobDeletedEvents) await announce(removed, new Set(answer.kept), atMs, batch, options);
    for (const [index, { event }] of done.parts.entries()) {
      const reason = reasons.get(index);
      if (reason !== undefined) refused.push({ event, reason });
    }
  }
  return refused;
}

/** Publishes one event for each part that has removed jobs. */
async function announce(
  parts: readonly ParsedPart[],
  keptClaims: ReadonlySet<string>,
  removedAtMs: number,
  batch: BatchControl,
  options: RemovalWorkerOptions,
): Promise<void> {
  const events = announcementsOf(parts, keptClaims, removedAtMs);
  if (events.length === 0) return;
  await untilDone(() => options.eventLog.publish(jobsDeletedTopic, events), batch, options);
}

/** Announces what an attempt has removed after its parts were postponed: a completed deletion is not published again. */
function announceLate({ parts, answer, atMs }: RemovedParts, options: RemovalWorkerOptions): void {
  const refused = new Set(answer.refused.map(({ index }) => index));
  const removed = parts.filter((_, index) => !refused.has(index));
  const events = announcementsOf(removed, new Set(answer.kept), atMs);
  if (!options.jobDeletedEvents || events.length === 0) return;
  options.eventLog.publish(jobsDeletedTopic, events).catch((error: unknown) => options.onError(error, 1));
}

function announcementsOf(
  parts: readonly ParsedPart[],
  keptClaims: ReadonlySet<string>,
  removedAtMs: number,
): EventRecord[] {
  return parts.flatMap(({ data, event }) => {
    const jobs = data.jobs.filter(({ claim }) => !keptClaims.has(claim));
    if (jobs.length === 0) return [];
    return [toJobsDeletedEvent({ ...data, jobs }, removedAtMs, event.headers.traceparent)];
  });
}

/** An event for the dead letters. */
interface FailedEvent {
  readonly event: ReceivedEvent;
  readonly reason: string;
}

function parseEvents(events: readonly ReceivedEvent[]) {
  const parts: ParsedPart[] = [];
  const poison: FailedEvent[] = [];
  for (const event of events) {
    const parsed = parseDeletionAccepted(event);
    if (parsed.kind === 'poison') poison.push({ event, reason: parsed.reason });
    else parts.push({ event, data: parsed.data });
  }
  return { parts, poison };
}

function deadLetter(event: ReceivedEvent, reason: string, failedAtMs: number): DeadLetter {
  return { id: event.headers.ce_id ?? event.position, reason, attempts: 1, failedAtMs, event };
}

/** Retries until the step succeeds or the consumer loses the batch. A failing store or log never costs an event. */
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
