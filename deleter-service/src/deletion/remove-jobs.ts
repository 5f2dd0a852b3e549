import { deletionAcceptedTopic, jobDeletedTopic, type DeletionAcceptedData } from '@jobs-delete/proto/events';
import type { BatchControl, Consumer, DeadLetter, EventLog, ReceivedEvent } from '../event-log/event-log.ts';
import type { RemovalPart, RemovalStore } from '../store/store.ts';
import { backOffMs } from './back-off.ts';
import type { Clock, Random } from './clock.ts';
import { parseDeletionAccepted, toJobDeletedEvents } from './deletion-event.ts';

export interface RemovalWorkerOptions {
  readonly store: RemovalStore;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether each removed job is announced by an event of its own. */
  readonly jobDeletedEvents: boolean;
  readonly onError: (error: unknown, attempt: number) => void;
  readonly onDeadLetter: (letter: DeadLetter) => void;
}

export const removalGroup = 'jobs-delete.removal';

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
  const { store, eventLog, clock, jobDeletedEvents } = options;
  const { parts, poison } = sortOut(events);
  const removedAtMs = clock.now();
  const insist = <Result>(step: () => Promise<Result>) => untilDone(step, batch, options);

  const { unknownDeletionIds } = await insist(() =>
    store.removeJobs(
      parts.map(({ part }) => part),
      removedAtMs,
    ),
  );
  const unknown = new Set(unknownDeletionIds);
  const removed = parts.filter(({ part }) => !unknown.has(part.deletionId));

  if (jobDeletedEvents && removed.length > 0) {
    const announcements = removed.flatMap(({ data }) => toJobDeletedEvents(data, removedAtMs));
    await insist(() => eventLog.publish(jobDeletedTopic, announcements));
  }
  const letters = [
    ...poison,
    ...parts
      .filter(({ part }) => unknown.has(part.deletionId))
      .map(({ event }) => ({ event, reason: 'the account has no such deletion' })),
  ].map(({ event, reason }) => deadLetter(event, reason, clock.now()));
  if (letters.length > 0) {
    await insist(() => eventLog.addDeadLetters(letters));
    letters.forEach(options.onDeadLetter);
  }
}

interface SortedEvents {
  parts: { event: ReceivedEvent; data: DeletionAcceptedData; part: RemovalPart }[];
  poison: { event: ReceivedEvent; reason: string }[];
}

function sortOut(events: readonly ReceivedEvent[]): SortedEvents {
  const sorted: SortedEvents = { parts: [], poison: [] };
  for (const event of events) {
    const parsed = parseDeletionAccepted(event);
    if (parsed.kind === 'poison') sorted.poison.push({ event, reason: parsed.reason });
    else sorted.parts.push({ event, data: parsed.data, part: toRemovalPart(parsed.data) });
  }
  return sorted;
}

function toRemovalPart({ deletion_id, account_id, part, parts, jobs }: DeletionAcceptedData): RemovalPart {
  return {
    deletionId: deletion_id,
    accountId: account_id,
    part,
    parts,
    claims: jobs.map(({ claim }) => claim),
  };
}

function deadLetter(event: ReceivedEvent, reason: string, failedAtMs: number): DeadLetter {
  return { id: event.headers.ce_id ?? event.position, reason, attempts: 1, failedAtMs, event };
}

/** Retries in place while the group keeps the batch here; a failing store or log never costs an event. */
async function untilDone<Result>(
  step: () => Promise<Result>,
  batch: BatchControl,
  { clock, random, onError }: RemovalWorkerOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      onError(error, attempt);
      if (batch.signal.aborted) throw error;
      await batch.heartbeat();
      await clock.sleep(Math.min(3_000, backOffMs(attempt, random)), batch.signal);
    }
  }
}
