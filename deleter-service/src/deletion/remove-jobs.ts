import {
  deletionAcceptedTopic,
  jobsDeletedTopic,
  type DeletionAcceptedData,
} from '@jobs-delete/proto/events';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import { nextTurn, type Clock, type Random } from '@jobs-delete/runtime/time/clock';
import type { BatchControl, Consumer, DeadLetter, EventLog, ReceivedEvent } from '../event-log/event-log.ts';
import type { RemovalPart, RemovalStore } from '../store/store.ts';
import { parseDeletionAccepted, toJobsDeletedEvent } from './deletion-event.ts';
import { withHeartbeats } from './with-heartbeats.ts';

export interface RemovalWorkerOptions {
  readonly store: RemovalStore;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  readonly random: Random;
  /** If true, an event announces the removed jobs of each part. */
  readonly jobDeletedEvents: boolean;
  readonly onError: (error: unknown, attempt: number) => void;
  readonly onDeadLetter: (letter: DeadLetter) => void;
  readonly onRemoved?: (removed: Removed) => void;
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
  const { parts, poison } = parseEvents(events);
  const failed: FailedEvent[] = [...poison];

  for (const step of splitByWeight(parts, ({ data }) => data.jobs.length, maxJobsPerStep)) {
    batch.signal.throwIfAborted();
    failed.push(...(await removeParts(step, batch, options)));
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
  options: RemovalWorkerOptions,
): Promise<FailedEvent[]> {
  const { store, clock, jobDeletedEvents } = options;
  const atMs = clock.now();
  const removal = () => store.removeJobs(parts.map(toRemovalPart), atMs);
  const answer = await untilDone(removal, batch, options);
  const reasons = new Map(answer.refused.map(({ index, reason }) => [index, reason]));
  const removed = parts.filter((_, index) => !reasons.has(index));
  if (answer.removed > 0) {
    const acceptedAtMs = removed.map(({ event }) => Date.parse(event.headers.ce_time ?? ''));
    options.onRemoved?.({ jobs: answer.removed, acceptedAtMs: acceptedAtMs.filter(Number.isFinite) });
  }
  if (jobDeletedEvents) await announce(removed, new Set(answer.kept), atMs, batch, options);
  return parts.flatMap(({ event }, index) => {
    const reason = reasons.get(index);
    return reason === undefined ? [] : [{ event, reason }];
  });
}

/** Publishes one event for each part that has removed jobs. */
async function announce(
  parts: readonly ParsedPart[],
  keptClaims: ReadonlySet<string>,
  removedAtMs: number,
  batch: BatchControl,
  options: RemovalWorkerOptions,
): Promise<void> {
  const events = parts.flatMap(({ data, event }) => {
    const jobs = data.jobs.filter(({ claim }) => !keptClaims.has(claim));
    if (jobs.length === 0) return [];
    return [toJobsDeletedEvent({ ...data, jobs }, removedAtMs, event.headers.traceparent)];
  });
  if (events.length === 0) return;
  await untilDone(() => options.eventLog.publish(jobsDeletedTopic, events), batch, options);
}

interface ParsedPart {
  readonly event: ReceivedEvent;
  readonly data: DeletionAcceptedData;
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
