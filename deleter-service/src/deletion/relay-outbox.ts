import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { EventLog } from '../event-log/event-log.ts';
import type { OutboxStore } from '../store/store.ts';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import { nextTurn } from '@jobs-delete/runtime/time/clock';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import type { Deletion } from '../store/deletion.ts';
import { recordPublications, type RecordPublicationsOptions } from './record-publications.ts';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';

export interface RelayOptions extends RecordPublicationsOptions {
  readonly store: OutboxStore;
  readonly eventLog: Pick<EventLog, 'publish'>;
  /** How long this relay has a deletion to itself. */
  readonly leaseMs?: number;
  /** How often it looks for deletions that no relay has published, or no worker completed. */
  readonly sweepMs?: number;
  /** The least time from one publication to the next, unless a whole batch is waiting; none by default. */
  readonly lingerMs?: number;
  readonly maxBatchDeletions?: number;
  /** The most jobs of deletions that wait in memory; what is beyond is left for the sweep. */
  readonly maxQueuedJobs?: number;
}

/** What a sweep brings into memory. */
const maxSweptJobs = 20_000;

/** What one call of the log is given: some megabytes at most. */
export const maxJobsPerPublication = 10_000;

export interface Relay {
  /** When a deletion accepted now becomes due: after the lease where there is room in memory, else at once. */
  reserve(nowMs: number): number;
  /** Hands over a deletion accepted with reserve's time, to be published at once. */
  offer(deletion: Deletion): void;
  /** Publishes what is waiting in memory, as long as the log takes it, and ends. The rest stays in the outbox. */
  stop(): Promise<void>;
}

/**
 * Moves deletions from the outbox to the event log: those accepted by this process within milliseconds, from
 * memory; those of a dead process, and the overdue ones, by a sweep of what is due.
 *
 * If it dies after publishing and before recording it, a deletion that isn't completed yet is published again: events
 * have stable ids, and removing twice is removing once. So a lease needs no fencing: two relays at one deletion do no
 * harm.
 */
export function startRelay(options: RelayOptions): Relay {
  const { store, eventLog, clock, random } = options;
  const { leaseMs = 30_000, sweepMs = 1_000, lingerMs = 0 } = options;
  const { maxBatchDeletions = 500, maxQueuedJobs = 200_000 } = options;
  const queue: Deletion[] = [];
  let queuedJobs = 0;
  let leftForSweep = true;
  let nextSweepMs = 0;
  let idle: AbortController | undefined;
  const stopping = new AbortController();

  const takeQueued = () => {
    const batch = queue.splice(0, maxBatchDeletions);
    for (const { jobIds } of batch) queuedJobs -= jobIds.length;
    return batch;
  };

  const sweep = async (): Promise<Deletion[]> => {
    const nowMs = clock.now();
    if (stopping.signal.aborted || (!leftForSweep && nowMs < nextSweepMs)) return [];
    const due = await store.leaseDue(nowMs, nowMs + leaseMs, maxBatchDeletions, maxSweptJobs);
    leftForSweep = due.length > 0;
    nextSweepMs = nowMs + sweepMs;
    return due;
  };

  const records = recordPublications(options);

  const publish = async (batch: readonly Deletion[]) => {
    await eventLog.publish(deletionAcceptedTopic, batch.flatMap(toDeletionAcceptedEvents));
    records.add(batch);
  };

  /**
   * Keeps at it until the log takes the batch: an outage never counts against a deletion.
   * @returns false if it has given up, because the relay stops
   */
  const publishUntilDone = async (batch: readonly Deletion[]): Promise<boolean> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await publish(batch);
        return true;
      } catch (error) {
        options.onError(error, attempt);
        if (stopping.signal.aborted) return false;
        await clock.sleep(backoffMs(attempt, random), stopping.signal);
      }
    }
  };

  const publishAll = async (batch: readonly Deletion[]): Promise<boolean> => {
    for (const some of splitByWeight(batch, ({ jobIds }) => jobIds.length, maxJobsPerPublication)) {
      if (!(await publishUntilDone(some))) return false;
      await nextTurn(clock);
    }
    return true;
  };

  const linger = async (sinceMs: number) => {
    const leftMs = sinceMs + lingerMs - clock.now();
    const isFull = queue.length >= maxBatchDeletions || queuedJobs >= maxJobsPerPublication;
    if (leftMs > 0 && !isFull) await clock.sleep(leftMs, stopping.signal);
  };

  const waitForWork = async () => {
    idle = new AbortController();
    if (queue.length === 0 && !stopping.signal.aborted) await clock.sleep(sweepMs, idle.signal);
    idle = undefined;
  };

  const nextBatch = async (): Promise<readonly Deletion[]> => {
    // The sweep has its turn even while requests keep the queue filled, else what it is for would wait for ever.
    if (queue.length > 0 && clock.now() < nextSweepMs) return takeQueued();
    try {
      const due = await sweep();
      if (due.length > 0) return due;
    } catch (error) {
      options.onError(error, 1);
      nextSweepMs = clock.now() + sweepMs;
    }
    return takeQueued();
  };

  const run = async () => {
    for (;;) {
      const batch = await nextBatch();
      if (batch.length > 0) {
        const startedAtMs = clock.now();
        if (!(await publishAll(batch))) return;
        await linger(startedAtMs);
      } else if (stopping.signal.aborted) return;
      else await waitForWork();
    }
  };
  const running = run().finally(() => records.stop());

  return {
    reserve: (nowMs) => (queuedJobs < maxQueuedJobs ? nowMs + leaseMs : nowMs),
    offer: (deletion) => {
      if (queuedJobs >= maxQueuedJobs) {
        leftForSweep = true;
        return;
      }
      queue.push(deletion);
      queuedJobs += deletion.jobIds.length;
      idle?.abort();
    },
    stop: () => {
      stopping.abort();
      idle?.abort();
      return running;
    },
  };
}
