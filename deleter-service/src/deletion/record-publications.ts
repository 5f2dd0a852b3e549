import type { DeletionKey, OutboxStore } from '../store/store.ts';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import type { Deletion } from '../store/deletion.ts';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';

export interface RecordPublicationsOptions {
  readonly store: Pick<OutboxStore, 'markPublished'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown, attempt: number) => void;
  /** The delay of the record. Keep it well below the lease: a deletion without a record is published again at its end. */
  readonly recordAfterMs?: number;
  /** The time after which an open deletion is published again. It doubles each time, up to a day. */
  readonly overdueMs?: number;
}

/** The fields that the record needs. */
type Published = Pick<Deletion, 'id' | 'accountId' | 'publications'>;

export interface PublicationRecords {
  /** Records these deletions, which were just published, after the delay. */
  add(published: readonly Published[]): void;
  /** Tries once to record the remaining publications. */
  stop(): Promise<void>;
}

/** A shard that is away must not delay the records of the others until their leases end. */
const maxRetryWaitMs = 5_000;

/** The most deletions in one update. */
const maxRecordedAtOnce = 5_000;

/**
 * Records publications late and in batches. Most deletions are completed by then and need no record, so they cost no
 * extra write.
 */
export function recordPublications(options: RecordPublicationsOptions): PublicationRecords {
  const { store, clock, random, onError, recordAfterMs = 0, overdueMs } = options;
  const stopping = new AbortController();
  let unrecorded: Published[] = [];
  let publishedAtMs = 0;
  let running: Promise<void> | undefined;

  const record = async () => {
    const [deletions, atMs] = [unrecorded, publishedAtMs];
    unrecorded = [];
    try {
      await markAllPublished(deletions, atMs, store, overdueMs);
    } catch (error) {
      unrecorded = [...deletions, ...unrecorded];
      throw error;
    }
  };

  const run = async () => {
    for (let failures = 0; unrecorded.length > 0;) {
      const waitMs = failures === 0 ? recordAfterMs : backoffMs(failures, random, maxRetryWaitMs);
      if (waitMs > 0) await clock.sleep(waitMs, stopping.signal);
      try {
        await record();
        failures = 0;
      } catch (error) {
        onError(error, ++failures);
        // These deletions are published again at the end of their lease, which is harmless.
        if (stopping.signal.aborted) break;
      }
    }
    running = undefined;
  };

  return {
    add: (published) => {
      publishedAtMs = clock.now();
      // Keeps no jobs in memory: a record may wait for seconds.
      for (const { id, accountId, publications } of published)
        unrecorded.push({ id, accountId, publications });
      running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Records the publication at `atMs`, and when each deletion is due again. */
export async function markAllPublished(
  deletions: readonly Published[],
  atMs: number,
  store: RecordPublicationsOptions['store'],
  overdueMs = 600_000,
): Promise<void> {
  for (const [publications, keys] of groupByPublications(deletions)) {
    for (const some of splitByWeight(keys, () => 1, maxRecordedAtOnce)) {
      await store.markPublished(some, atMs, atMs + overdueAfterMs(publications, overdueMs));
    }
  }
}

function groupByPublications(deletions: readonly Published[]): Map<number, DeletionKey[]> {
  const groups = new Map<number, DeletionKey[]>();
  for (const { id: deletionId, accountId, publications } of deletions) {
    const group = groups.get(publications);
    if (group === undefined) groups.set(publications, [{ deletionId, accountId }]);
    else group.push({ deletionId, accountId });
  }
  return groups;
}

/** @param publications the number of earlier publications of the deletion */
function overdueAfterMs(publications: number, overdueMs: number): number {
  return Math.min(86_400_000, overdueMs * 2 ** Math.min(publications, 20));
}
