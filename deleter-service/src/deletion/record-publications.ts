import type { OutboxStore } from '../store/store.ts';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import type { Deletion } from '../store/deletion.ts';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';

export interface RecordPublicationsOptions {
  readonly store: Pick<OutboxStore, 'markPublished'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown, attempt: number) => void;
  /** How long a publication may stay without a record; well below the lease, at whose end it is published again. */
  readonly recordAfterMs?: number;
  /** When an unfinished deletion is published again; doubled each time, up to a day. */
  readonly overdueMs?: number;
}

/** What is recorded of a deletion. */
type Published = Pick<Deletion, 'id' | 'publications'>;

export interface PublicationRecords {
  /** Of deletions that have just been published. */
  add(published: readonly Published[]): void;
  /** Records what has no record yet, if the store takes it. */
  stop(): Promise<void>;
}

/** As many as one update is given. */
const maxRecordedAtOnce = 5_000;

/**
 * Records publications late and together. Most deletions are completed by then, and a completed one needs no such
 * record: what is kept for those that take long costs the others no write.
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
      const waitMs = failures === 0 ? recordAfterMs : backoffMs(failures, random);
      if (waitMs > 0) await clock.sleep(waitMs, stopping.signal);
      try {
        await record();
        failures = 0;
      } catch (error) {
        onError(error, ++failures);
        // They are published again at the end of their lease, which does no harm.
        if (stopping.signal.aborted) break;
      }
    }
    running = undefined;
  };

  return {
    add: (published) => {
      publishedAtMs = clock.now();
      // Without their jobs: they may wait here for seconds.
      for (const { id, publications } of published) unrecorded.push({ id, publications });
      running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** As published at `atMs`, and due again when their removal is overdue. */
export async function markAllPublished(
  deletions: readonly Published[],
  atMs: number,
  store: RecordPublicationsOptions['store'],
  overdueMs = 600_000,
): Promise<void> {
  for (const [publications, ids] of groupByPublications(deletions)) {
    for (const some of splitByWeight(ids, () => 1, maxRecordedAtOnce)) {
      await store.markPublished(some, atMs, atMs + overdueAfterMs(publications, overdueMs));
    }
  }
}

function groupByPublications(deletions: readonly Published[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const { id, publications } of deletions) {
    const group = groups.get(publications);
    if (group === undefined) groups.set(publications, [id]);
    else group.push(id);
  }
  return groups;
}

/** @param publications how often the deletion had been published before */
function overdueAfterMs(publications: number, overdueMs: number): number {
  return Math.min(86_400_000, overdueMs * 2 ** Math.min(publications, 20));
}
