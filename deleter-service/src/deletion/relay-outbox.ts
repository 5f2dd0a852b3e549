import {
  deletionAcceptedTopic,
  deletionCancelledTopic,
  maxJobsPerEvent as schemaMaxJobs,
  type Topic,
} from '@jobs-delete/proto/events';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { createFairPermits } from '@jobs-delete/runtime/batching/permits';
import { createFairQueue, type Verdict } from '@jobs-delete/runtime/batching/fair-queue';
import { splitByWeight } from '@jobs-delete/runtime/batching/groups';
import { backoffMs, nextTurn, withTimeLimit } from '@jobs-delete/runtime/time/clock';
import type { EventLog, EventRecord } from '../event-log/event-log.ts';
import type { Deletion } from '../store/deletion.ts';
import type { Store } from '../store/store.ts';
import { boundOpenJobs, type OpenJobsOptions } from './bound-open-jobs.ts';
import { createSweep, type Waiting } from './sweep-outbox.ts';
import { toDeletionCancelledEvent, toPartEvents } from './deletion-event.ts';
import {
  isCancelled,
  recordPublications,
  type Leased,
  type RecordPublicationsOptions,
} from './record-publications.ts';

export interface RelayOptions extends RecordPublicationsOptions, Pick<OpenJobsOptions, 'maxOpenJobs'> {
  readonly store: Pick<Store, 'leaseDue' | 'findStates' | 'markPublished' | 'endCancelled'>;
  readonly eventLog: Pick<EventLog, 'publish'>;
  /** The time for which this relay leases a deletion. */
  readonly leaseMs?: number;
  /** The interval of the sweep: the search for deletions that are not published, or not completed in time. */
  readonly sweepMs?: number;
  /** The shortest time between two publications, unless a full batch waits. Default: 0. */
  readonly lingerMs?: number;
  readonly maxBatchDeletions?: number;
  /** The same for all relays. The audit knows only the default, which is that of the event's schema. */
  readonly maxJobsPerEvent?: number;
  /** The most jobs of accepted deletions in memory, shared among accounts. Further deletions wait for the sweep. */
  readonly maxQueuedJobs?: number;
}

/** The most jobs in one call of the event log: some megabytes. */
export const maxJobsPerPublication = 10_000;

export interface Relay {
  /** Takes memory for a deletion that is accepted next. The caller must end the reservation. */
  reserve(nowMs: number, accountId: string, jobs: number): Reservation;
  /** Publishes the queue while the log accepts it and permits are free, then ends. The rest stays in the outbox. */
  stop(): Promise<void>;
}

export interface Reservation {
  /** When another relay may publish the deletion: after a lease, or at once if the account's share of memory is full. */
  readonly dueAtMs: number;
  /** Queues the deletion, which is published soon. Without one, only gives the memory back. */
  end(accepted: Deletion | undefined): void;
}

/**
 * Moves deletions from the outbox to the event log. Publishes deletions of this process from memory within milliseconds.
 * A sweep finds deletions of a dead process, and overdue ones.
 *
 * Accounts are served round robin, small deletions before large ones. An account that has its share of jobs on the log waits
 * in memory or in the outbox, so no other account waits behind its backlog (docs/decisions/fair-removal.md).
 *
 * After a crash between a publication and its record, the deletion is published again. That is harmless, because removing
 * twice has no second effect. So the lease needs no fencing: two relays may publish the same deletion.
 */
export function startRelay(options: RelayOptions): Relay {
  const { clock, leaseMs = 30_000, sweepMs = 1_000, lingerMs = 0, maxQueuedJobs = 200_000 } = options;
  const maxDeletions = options.maxBatchDeletions ?? 500;
  const stopping = new AbortController();
  let idle: AbortController | undefined;
  const wake = () => idle?.abort();
  const openJobs = boundOpenJobs({ ...options, onFreed: wake });
  const queue = createQueue();
  const sweep = createSweep(
    { ...options, leaseMs, sweepMs, maxDeletions, onEnd: wake },
    queue.push,
    stopping.signal,
  );
  const records = recordPublications(options);
  const publications = createPublications(options, stopping.signal);

  const judge = (deletion: Deletion) => (isCancelled(deletion) ? 'take' : openJobs.judge(deletion));
  const takeBatch = () => queue.take(maxDeletions, judge, clock.now(), sweep.expectMore);
  const linger = async (sinceMs: number) => {
    // A clock that has stepped back must not make the wait longer.
    const leftMs = Math.min(lingerMs, sinceMs + lingerMs - clock.now());
    const isFull = queue.size() >= maxDeletions || queue.jobs() >= maxJobsPerPublication;
    if (leftMs > 0 && !isFull) await clock.sleep(leftMs, stopping.signal);
  };
  const waitForWork = async () => {
    idle = new AbortController();
    await clock.sleep(sweepMs, idle.signal);
    idle = undefined;
  };
  const onPublished = (published: readonly Leased[]) => {
    openJobs.watch(published);
    records.add(published);
  };
  const run = async () => {
    while (!publications.hasGivenUp()) {
      // The sweep runs on time, even while new requests keep the queue filled. Nothing waits for it: a shard may hang.
      if (sweep.isDue()) sweep.start();
      const batch = takeBatch();
      if (batch.length > 0) {
        const startedAtMs = clock.now();
        // Apart: while one topic is away, the events of the other go on.
        const [cancelled, removals] = [batch.filter(isCancelled), batch.filter((one) => !isCancelled(one))];
        await publications.start(removals, onPublished);
        await publications.start(cancelled, records.add);
        await linger(startedAtMs);
      } else if (sweep.hasMore()) sweep.start();
      else if (!stopping.signal.aborted) await waitForWork();
      else if (!(await sweep.ended())) return;
    }
  };
  const running = run()
    .finally(publications.ended)
    .finally(() => Promise.all([records.stop(), openJobs.stop()]));

  return {
    reserve: createReservations({ leaseMs, maxQueuedJobs }, queue, (accountId) => {
      if (accountId !== undefined) sweep.expectMore(accountId);
      wake();
    }),
    stop: async () => {
      stopping.abort();
      wake();
      await running;
    },
  };
}

/** Shares the memory among accounts. @param onEnd called with the account if memory is full, so the deletion is in the outbox only */
function createReservations(
  { leaseMs, maxQueuedJobs }: Required<Pick<RelayOptions, 'leaseMs' | 'maxQueuedJobs'>>,
  queue: { push(item: Waiting): void },
  onEnd: (leftAccountId?: string) => void,
): Relay['reserve'] {
  const memory = createFairPermits({ total: () => maxQueuedJobs });
  return (nowMs, accountId, jobs) => {
    if (!memory.take(accountId, jobs))
      return {
        dueAtMs: nowMs,
        end: (deletion) => {
          if (deletion !== undefined) onEnd(accountId);
        },
      };
    const release = () => memory.give(accountId, jobs);
    const leasedUntilMs = nowMs + leaseMs;
    const end = (deletion: Deletion | undefined) => {
      if (deletion === undefined) release();
      else {
        queue.push({ deletion, leasedUntilMs, release });
        onEnd();
      }
    };
    return { dueAtMs: leasedUntilMs, end };
  };
}

/** Deletions in memory: small ones before large ones, each round robin over accounts. */
function createQueue() {
  const keyOf = ({ deletion }: Waiting) => deletion.accountId;
  const weigh = ({ deletion }: Waiting) => deletion.jobIds.length;
  const small = createFairQueue(keyOf, weigh);
  const large = createFairQueue(keyOf, weigh);
  let size = 0;
  return {
    size: () => size,
    jobs: () => small.weight() + large.weight(),
    push: (item: Waiting) => {
      (weigh(item) < largeRequestJobs ? small : large).push(item);
      size += 1;
    },
    /**
     * Takes the deletions of about one publication, at most `maxDeletions`. Leaves a deletion whose lease has ended to the
     * sweep of any relay.
     */
    take: (
      maxDeletions: number,
      judge: (deletion: Deletion) => Verdict,
      nowMs: number,
      onLeft: (accountId: string) => void,
    ): Leased[] => {
      const isLeased = ({ leasedUntilMs }: Waiting) => leasedUntilMs > nowMs;
      let count = 0;
      const judgeNext = (item: Waiting): Verdict => {
        const verdict = count === maxDeletions ? 'end' : isLeased(item) ? judge(item.deletion) : 'take';
        if (verdict === 'take') count += 1;
        return verdict;
      };
      const first = small.take(maxJobsPerPublication, judgeNext);
      const room = maxJobsPerPublication - first.reduce((sum, item) => sum + weigh(item), 0);
      const taken = [...first, ...large.take(room, judgeNext)];
      size -= taken.length;
      for (const item of taken) {
        item.release();
        if (!isLeased(item)) onLeft(keyOf(item));
      }
      return taken.filter(isLeased).map(({ deletion, leasedUntilMs }) => ({ ...deletion, leasedUntilMs }));
    },
  };
}

/** The most publications in progress. */
const maxUnanswered = 8;

/** A call of the log that is not answered after this time no longer counts as in progress: its broker may hang. */
const unansweredMs = 1_000;

/** Publishes one batch after the other. A broker that does not answer holds its own batches only. */
function createPublications(options: RelayOptions, stopping: AbortSignal) {
  const { eventLog, clock, random, onError, maxJobsPerEvent = schemaMaxJobs } = options;
  const toParts = (deletion: Deletion) => toPartEvents(deletion, maxJobsPerEvent);
  const running = new Set<Promise<void>>();
  let hasGivenUp = false;

  const publish = async (topic: Topic, events: readonly EventRecord[], onUnanswered: () => void) => {
    const published = eventLog.publish(topic, events);
    withTimeLimit(published, unansweredMs, onUnanswered, clock).catch(() => undefined);
    await published;
  };
  /** Retries until the log accepts the events: an outage never counts against a deletion. Returns false when stopping. */
  const publishUntilDone = async (deletions: readonly Deletion[], onUnanswered: () => void) => {
    const areCancelled = deletions.every(isCancelled);
    const topic = areCancelled ? deletionCancelledTopic : deletionAcceptedTopic;
    const events = deletions.flatMap(areCancelled ? toDeletionCancelledEvent : toParts);
    for (let attempt = 1; ; attempt++) {
      try {
        await publish(topic, events, onUnanswered);
        return true;
      } catch (error) {
        onError(error, attempt);
        if (stopping.aborted) return false;
        await clock.sleep(backoffMs(attempt, random), stopping);
      }
    }
  };
  /** Publishes in calls of limited size. */
  const publishAll = async (
    batch: readonly Leased[],
    onPublished: (published: readonly Leased[]) => void,
    onUnanswered: () => void,
  ) => {
    for (const some of splitByWeight(batch, ({ jobIds }) => jobIds.length, maxJobsPerPublication)) {
      if (!(await publishUntilDone(some, onUnanswered))) hasGivenUp = true;
      if (hasGivenUp) return;
      onPublished(some);
      await nextTurn(clock);
    }
  };

  return {
    /** Resolves when the next batch may start. */
    start: async (batch: readonly Leased[], onPublished: (published: readonly Leased[]) => void) => {
      await new Promise<void>((resolve, reject) => {
        const publication = publishAll(batch, onPublished, resolve).finally(() =>
          running.delete(publication),
        );
        running.add(publication);
        publication.then(resolve, reject);
      });
      if (running.size >= maxUnanswered) await Promise.race(running);
    },
    /** True when the relay stops before the log has accepted all. */
    hasGivenUp: () => hasGivenUp,
    ended: async () => {
      await Promise.all(running);
    },
  };
}
