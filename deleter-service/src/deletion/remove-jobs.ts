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
import { forEachGroup } from '@jobs-delete/runtime/batching/groups';
import { groupByAccount, type ParsedPart } from './parsed-part.ts';
import { createRemoval, type Removal, type RemovedParts } from './remove-by-account.ts';
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
 * already done have no second effect. What can't be done for some accounts goes back to the log, for a later batch.
 */
export function startRemovalWorker(options: RemovalWorkerOptions): Promise<Consumer> {
  const removal = createRemoval(options);
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
  const startedAtMs = clock.now();
  const { parts, poison } = parseEvents(events);
  const failed: FailedEvent[] = [...poison];
  const left: ParsedPart[] = [];

  for (const step of splitByWeight(parts, ({ data }) => data.jobs.length, maxJobsPerStep)) {
    batch.signal.throwIfAborted();
    const result = await removal.remove(step, batch, startedAtMs);
    left.push(...result.left);
    failed.push(...result.removed.flatMap((removed) => refusedOf(removed, options)));
    const endsAtMs = startedAtMs + announceBudgetMs;
    if (options.jobDeletedEvents)
      left.push(...(await announce(result.removed, removal, batch, endsAtMs, options)));
    await batch.heartbeat();
    await nextTurn(clock);
  }
  const letters = failed.map(({ event, reason }) => deadLetter(event, reason, clock.now()));
  if (letters.length > 0) {
    await untilDone(() => eventLog.addDeadLetters(letters), batch, options);
    letters.forEach(options.onDeadLetter);
  }
  if (left.length > 0) await putBack(removal.eventsOf(left), startedAtMs, batch, options);
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

/** Reports the removals. Returns the events that the store refused. */
function refusedOf({ parts, answer }: RemovedParts, options: RemovalWorkerOptions): FailedEvent[] {
  const reasons = new Map(answer.refused.map(({ index, reason }) => [index, reason]));
  if (answer.removed > 0) {
    const removed = parts.filter((_, index) => !reasons.has(index));
    const acceptedAtMs = removed.map(({ event }) => Date.parse(event.headers.ce_time ?? ''));
    options.onRemoved?.({ jobs: answer.removed, acceptedAtMs: acceptedAtMs.filter(Number.isFinite) });
  }
  return parts.flatMap(({ event }, index) => {
    const reason = reasons.get(index);
    return reason === undefined ? [] : [{ event, reason }];
  });
}

/** The limit of a publication. The next try to put events back takes another partition. */
const publishMs = 3_000;

/** No announcement starts later in a batch, so that the batch ends before its time limit. */
const announceBudgetMs = 9_000;

/**
 * Publishes one event for each part that has removed jobs. If that fails, publishes those of each account alone: the
 * account decides the partition, and one partition may be away. Of the accounts whose announcements failed before, one is
 * tried first. Returns the parts that are not announced.
 */
async function announce(
  removed: readonly RemovedParts[],
  removal: Removal,
  batch: BatchControl,
  endsAtMs: number,
  options: RemovalWorkerOptions,
): Promise<ParsedPart[]> {
  const eventsOf = new Map(removed.flatMap(announcementsOf));
  const publish = async (parts: readonly ParsedPart[]): Promise<boolean> => {
    const events = parts.flatMap((part) => eventsOf.get(part) ?? []);
    if (events.length === 0) return true;
    const send = () => options.eventLog.publish(jobsDeletedTopic, events);
    try {
      await withHeartbeats(send, batch, options.clock, publishMs);
      return true;
    } catch (error) {
      batch.signal.throwIfAborted();
      options.onError(error, 1);
      return false;
    }
  };
  const left: ParsedPart[] = [];
  /** Returns false if the parts are left. */
  const publishAlone = async (group: readonly ParsedPart[]): Promise<boolean> => {
    const isInTime = options.clock.now() < endsAtMs;
    const isAnnounced = isInTime && (await publish(group));
    if (isInTime) removal.onAnnounced(group[0]?.data.account_id ?? '', isAnnounced);
    if (!isAnnounced) left.push(...group);
    return isAnnounced;
  };
  const publishEachAlone = (groups: ParsedPart[][]) =>
    forEachGroup(groups, 16, async (group) => {
      await publishAlone(group);
    });

  const isUnannounced = ({ data }: ParsedPart) => removal.isUnannounced(data.account_id);
  const parts = [...eventsOf.keys()];
  const [failedBefore, others] = [parts.filter(isUnannounced), parts.filter((part) => !isUnannounced(part))];
  const isInTime = options.clock.now() < endsAtMs;
  if (!isInTime || !(await publish(others))) await publishEachAlone(groupByAccount(others));
  const [probe, ...rest] = removal.longestUntriedFirst(groupByAccount(failedBefore));
  if (probe === undefined) return left;
  if (await publishAlone(probe)) await publishEachAlone(rest);
  else left.push(...rest.flat());
  return left;
}

/** Returns the parts that are not refused, each with its event if jobs of it are removed. */
function announcementsOf({ parts, answer, atMs }: RemovedParts): (readonly [ParsedPart, EventRecord[]])[] {
  const refused = new Set(answer.refused.map(({ index }) => index));
  const kept = new Set(answer.kept);
  return parts
    .filter((_, index) => !refused.has(index))
    .map((part) => {
      const { data, event } = part;
      const jobs = data.jobs.filter(({ claim }) => !kept.has(claim));
      if (jobs.length === 0) return [part, []];
      return [part, [toJobsDeletedEvent({ ...data, jobs }, atMs, event.headers.traceparent)]];
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
