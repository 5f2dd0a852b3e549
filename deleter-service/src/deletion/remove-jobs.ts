import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { splitByWeight } from '@jobs-delete/runtime/batching/groups';
import { backoffMs, nextTurn } from '@jobs-delete/runtime/time/clock';
import type {
  BatchControl,
  Consumer,
  DeadLetter,
  EventLog,
  EventRecord,
  ReceivedEvent,
} from '../event-log/event-log.ts';
import { parseDeletionAccepted } from './deletion-event.ts';
import { createRemoval, type BatchProgress, type RemovalOptions } from './remove-by-account.ts';
import type { FailedEvent, ParsedPart } from './remove-parts.ts';
import { withHeartbeats } from './with-heartbeats.ts';

export interface RemovalWorkerOptions extends RemovalOptions {
  readonly eventLog: EventLog;
  readonly onDeadLetter: (letter: DeadLetter) => void;
}

export const removalGroup = 'jobs-delete.removal';

/** The most jobs removed and announced in one step. The worker sends a heartbeat after each step. */
const maxJobsPerStep = 4_000;

/**
 * Removes the jobs that the events name. The steps of a batch are: remove the jobs, announce that, record it, add dead
 * letters, move the offset. If the process dies, the log delivers the whole batch again, and steps that are already done
 * have no second effect. What can't be done for some accounts goes back to the log, for a later batch.
 */
export function startRemovalWorker(options: RemovalWorkerOptions): Promise<Consumer> {
  const remove = createRemoval(options);
  return options.eventLog.consume(deletionAcceptedTopic, removalGroup, (events, batch) =>
    processBatch(events, batch, remove, options),
  );
}

async function processBatch(
  events: readonly ReceivedEvent[],
  batch: BatchControl,
  remove: ReturnType<typeof createRemoval>,
  options: RemovalWorkerOptions,
) {
  const { eventLog, clock } = options;
  const startedAtMs = clock.now();
  const { parts, poison } = parseEvents(events);
  const progress: BatchProgress = { batch, startedAtMs, failed: poison, left: [] };

  for (const step of splitByWeight(parts, ({ data }) => data.jobs.length, maxJobsPerStep)) {
    batch.signal.throwIfAborted();
    await remove(step, progress);
    await batch.heartbeat();
    await nextTurn(clock);
  }
  const letters = progress.failed.map(({ event, reason }) => deadLetter(event, reason, clock.now()));
  if (letters.length > 0) {
    await untilDone(() => eventLog.addDeadLetters(letters), batch, options);
    letters.forEach(options.onDeadLetter);
  }
  const left = progress.left.map(({ event }) => event);
  if (left.length > 0) await putBack(left, startedAtMs, batch, options);
}

/**
 * Publishes the events again, so that they are delivered later, and the other events of the partition go on. The pause
 * bounds how often they pass.
 */
async function putBack(
  events: readonly EventRecord[],
  startedAtMs: number,
  batch: BatchControl,
  options: RemovalWorkerOptions,
): Promise<void> {
  const { eventLog, clock } = options;
  const pauseMs = Math.min(putBackMs, startedAtMs + putBackMs - clock.now());
  if (pauseMs > 0) await withHeartbeats(() => clock.sleep(pauseMs, batch.signal), batch, clock);
  batch.signal.throwIfAborted();
  await untilDone(() => eventLog.publish(deletionAcceptedTopic, events), batch, options, publishMs);
}

/** The shortest time that a batch takes whose events are put back. */
const putBackMs = 3_000;

/** The limit of a publication. The next try to put events back takes another partition. */
const publishMs = 3_000;

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
  limitMs = Infinity,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withHeartbeats(step, batch, clock, limitMs);
    } catch (error) {
      if (batch.signal.aborted) throw error;
      onError(error, attempt);
      await batch.heartbeat();
      await clock.sleep(Math.min(3_000, backoffMs(attempt, random)), batch.signal);
      batch.signal.throwIfAborted();
    }
  }
}
