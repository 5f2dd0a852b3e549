import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import { nextTurn } from '@jobs-delete/runtime/time/clock';
import type { EventLog } from '../event-log/event-log.ts';
import type { Deletion } from '../store/deletion.ts';
import type { OutboxStore } from '../store/store.ts';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import { recordPublications, type RecordPublicationsOptions } from './record-publications.ts';

export interface RelayOptions extends RecordPublicationsOptions {
  readonly store: OutboxStore;
  readonly eventLog: Pick<EventLog, 'publish'>;
  /** The time for which this relay leases a deletion. */
  readonly leaseMs?: number;
  /** The interval of the sweep: the search for deletions that are not published, or not completed in time. */
  readonly sweepMs?: number;
  /** The shortest time between two publications, unless a full batch waits. Default: 0. */
  readonly lingerMs?: number;
  readonly maxBatchDeletions?: number;
  /** The most jobs of deletions in memory. Further deletions wait for the sweep. */
  readonly maxQueuedJobs?: number;
}

/** The most jobs that one sweep reads into memory. */
const maxSweptJobs = 20_000;

/** The most jobs in one call of the event log: some megabytes. */
export const maxJobsPerPublication = 10_000;

export interface Relay {
  /** Returns when a deletion accepted now is due: after the lease, or at once if the memory is full. */
  reserve(nowMs: number): number;
  /** Queues a deletion that was accepted with the time of `reserve`. It is published at once. */
  offer(deletion: Deletion): void;
  /** Publishes the queue while the log accepts it, then ends. The rest stays in the outbox. */
  stop(): Promise<void>;
}

/**
 * Moves deletions from the outbox to the event log. Publishes deletions of this process from memory within milliseconds.
 * A sweep finds deletions of a dead process, and overdue ones.
 *
 * After a crash between a publication and its record, the deletion is published again. That is harmless, because removing
 * twice has no second effect. So the lease needs no fencing: two relays may publish the same deletion.
 */
export function startRelay(options: RelayOptions): Relay {
  const { clock, leaseMs = 30_000, sweepMs = 1_000, lingerMs = 0, maxQueuedJobs = 200_000 } = options;
  const maxDeletions = options.maxBatchDeletions ?? 500;
  const stopping = new AbortController();
  const queue = createQueue();
  const sweep = createSweep({ ...options, leaseMs, sweepMs, maxDeletions }, stopping.signal);
  const records = recordPublications(options);
  let idle: AbortController | undefined;

  const nextBatch = async (): Promise<readonly Deletion[]> => {
    // The sweep runs on time, even while new requests keep the queue filled.
    if (queue.size() > 0 && !sweep.isDue()) return queue.take(maxDeletions);
    const due = await sweep.run();
    return due.length > 0 ? due : queue.take(maxDeletions);
  };
  const linger = async (sinceMs: number) => {
    const leftMs = sinceMs + lingerMs - clock.now();
    const isFull = queue.size() >= maxDeletions || queue.jobs() >= maxJobsPerPublication;
    if (leftMs > 0 && !isFull) await clock.sleep(leftMs, stopping.signal);
  };
  const waitForWork = async () => {
    idle = new AbortController();
    if (queue.size() === 0 && !stopping.signal.aborted) await clock.sleep(sweepMs, idle.signal);
    idle = undefined;
  };
  const run = async () => {
    for (;;) {
      const batch = await nextBatch();
      if (batch.length > 0) {
        const startedAtMs = clock.now();
        if (!(await publishAll(batch, records, options, stopping.signal))) return;
        await linger(startedAtMs);
      } else if (stopping.signal.aborted) return;
      else await waitForWork();
    }
  };
  const running = run().finally(() => records.stop());

  return {
    reserve: (nowMs) => (queue.jobs() < maxQueuedJobs ? nowMs + leaseMs : nowMs),
    offer: (deletion) => {
      if (queue.jobs() >= maxQueuedJobs) {
        sweep.expectMore();
        return;
      }
      queue.push(deletion);
      idle?.abort();
    },
    stop: () => {
      stopping.abort();
      idle?.abort();
      return running;
    },
  };
}

/** Deletions in memory, oldest first, and the count of their jobs. */
function createQueue() {
  const waiting: Deletion[] = [];
  let jobs = 0;
  return {
    size: () => waiting.length,
    jobs: () => jobs,
    push: (deletion: Deletion) => {
      waiting.push(deletion);
      jobs += deletion.jobIds.length;
    },
    take: (maxDeletions: number): Deletion[] => {
      const batch = waiting.splice(0, maxDeletions);
      for (const { jobIds } of batch) jobs -= jobIds.length;
      return batch;
    },
  };
}

interface SweepOptions extends Pick<RelayOptions, 'store' | 'clock' | 'onError'> {
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly maxDeletions: number;
}

function createSweep({ store, clock, onError, ...options }: SweepOptions, stopping: AbortSignal) {
  const { leaseMs, sweepMs, maxDeletions } = options;
  let hasMore = true;
  let nextMs = 0;
  return {
    isDue: () => clock.now() >= nextMs,
    /** Deletions are left in the outbox, so the next sweep must not wait for its time. */
    expectMore: () => {
      hasMore = true;
    },
    /** Leases due deletions. Returns none before the sweep's time, while stopping, or when the store fails. */
    run: async (): Promise<Deletion[]> => {
      const nowMs = clock.now();
      if (stopping.aborted || (!hasMore && nowMs < nextMs)) return [];
      try {
        const due = await store.leaseDue(nowMs, nowMs + leaseMs, maxDeletions, maxSweptJobs);
        hasMore = due.length > 0;
        nextMs = nowMs + sweepMs;
        return due;
      } catch (error) {
        onError(error, 1);
        nextMs = clock.now() + sweepMs;
        return [];
      }
    },
  };
}

/** Publishes the batch in calls of limited size. Returns false if the relay stops before the log has accepted all. */
async function publishAll(
  batch: readonly Deletion[],
  records: ReturnType<typeof recordPublications>,
  options: RelayOptions,
  stopping: AbortSignal,
): Promise<boolean> {
  for (const some of splitByWeight(batch, ({ jobIds }) => jobIds.length, maxJobsPerPublication)) {
    if (!(await publishUntilDone(some, options, stopping))) return false;
    records.add(some);
    await nextTurn(options.clock);
  }
  return true;
}

/** Retries until the log accepts the events: an outage never counts against a deletion. Returns false when stopping. */
async function publishUntilDone(
  deletions: readonly Deletion[],
  { eventLog, clock, random, onError }: RelayOptions,
  stopping: AbortSignal,
): Promise<boolean> {
  const events = deletions.flatMap(toDeletionAcceptedEvents);
  for (let attempt = 1; ; attempt++) {
    try {
      await eventLog.publish(deletionAcceptedTopic, events);
      return true;
    } catch (error) {
      onError(error, attempt);
      if (stopping.aborted) return false;
      await clock.sleep(backoffMs(attempt, random), stopping);
    }
  }
}
