import type { DeletionKey, LeasedKey, Store } from '../store/store.ts';
import { backoffMs, type Clock, type Random } from '@jobs-delete/runtime/time/clock';
import type { Deletion } from '../store/deletion.ts';
import { splitByWeight, forEachGroup, groupBy } from '@jobs-delete/runtime/batching/groups';

export interface RecordPublicationsOptions {
  readonly store: Pick<Store, 'markPublished' | 'endCancelled'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown, attempt: number) => void;
  /** The delay of the record. Keep it well below the lease: a deletion without a record is published again at its end. */
  readonly recordAfterMs?: number;
  /** The time after which an open deletion is published again. It doubles each time, up to a day. */
  readonly overdueMs?: number;
}

/** A deletion that was leased for its publication. */
export type Leased<Fields extends keyof Deletion = keyof Deletion> = Pick<Deletion, Fields> &
  Pick<LeasedKey, 'leasedUntilMs'>;

/** The fields that the record needs. */
type Published = Leased<'id' | 'accountId' | 'state' | 'publications'>;

/** A shard that is away must not delay the records of the others until their leases end. */
const maxRetryWaitMs = 5_000;

/** The most deletions in one update. */
const maxRecordedAtOnce = 5_000;

/** The most updates of single accounts at the same time. */
const maxAccountsAtOnce = 16;

/**
 * Records publications late and in batches. Most deletions are completed by then and need no record, so they cost no
 * extra write.
 *
 * While the store fails, each account is recorded alone, so that a shard that is away costs only its accounts. A record that
 * fails until the lease has ended is dropped: the deletion is published again.
 */
export function recordPublications(options: RecordPublicationsOptions) {
  const { store, clock, random, onError, recordAfterMs = 0 } = options;
  const stopping = new AbortController();
  let unrecorded: Unrecorded[] = [];
  let running: Promise<void> | undefined;

  /** Records all, and keeps those that fail. */
  const record = async (alone: boolean) => {
    const atMs = unrecorded.at(-1)?.atMs ?? 0;
    const isLeased = ({ leasedUntilMs }: Unrecorded) => leasedUntilMs > clock.now();
    const taken = alone ? unrecorded.filter(isLeased) : unrecorded;
    unrecorded = [];
    let failure: { readonly error: unknown } | undefined;
    const mark = async (some: readonly Unrecorded[]) => {
      try {
        await markAllPublished(some, atMs, store, options.overdueMs);
      } catch (error) {
        failure ??= { error };
        unrecorded = [...some, ...unrecorded];
      }
    };
    const groups = alone ? [...groupBy(taken, ({ accountId }) => accountId).values()] : [taken];
    await forEachGroup(groups, maxAccountsAtOnce, mark);
    if (failure !== undefined) throw failure.error;
  };

  const run = async () => {
    for (let failures = 0; unrecorded.length > 0;) {
      const waitMs = failures === 0 ? recordAfterMs : backoffMs(failures, random, maxRetryWaitMs);
      if (waitMs > 0) await clock.sleep(waitMs, stopping.signal);
      try {
        await record(failures > 0);
        failures = 0;
      } catch (error) {
        onError(error, ++failures);
        if (stopping.signal.aborted) break;
      }
    }
    running = undefined;
  };

  return {
    /** Records these deletions, which were just published, after the delay. */
    add: (published: readonly Published[]): void => {
      const atMs = clock.now();
      // Keeps no jobs in memory: a record may wait for seconds.
      for (const { id, accountId, state, publications, leasedUntilMs } of published)
        unrecorded.push({ id, accountId, state, publications, leasedUntilMs, atMs });
      running ??= run();
    },
    /** Tries once to record the remaining publications. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

interface Unrecorded extends Published {
  readonly atMs: number;
}

/**
 * Records the publication at `atMs`, and when each deletion is due again. Leaves out deletions that are no longer due at the end
 * of their lease: they are recorded, postponed or leased again.
 */
export async function markAllPublished(
  deletions: readonly Published[],
  atMs: number,
  store: RecordPublicationsOptions['store'],
  overdueMs = 600_000,
): Promise<void> {
  const [cancelled, removals] = [deletions.filter(isCancelled), deletions.filter((one) => !isCancelled(one))];
  for (const some of splitByWeight(cancelled.map(keyOf), () => 1, maxRecordedAtOnce))
    await store.endCancelled(some);
  for (const [publications, group] of groupBy(removals, (deletion) => deletion.publications)) {
    const nextDueAtMs = atMs + overdueAfterMs(publications, overdueMs);
    const leased = group.map((one) => ({ ...keyOf(one), leasedUntilMs: one.leasedUntilMs }));
    for (const some of splitByWeight(leased, () => 1, maxRecordedAtOnce))
      await store.markPublished(some, atMs, nextDueAtMs);
  }
}

/** Only its event is published. */
export function isCancelled({ state }: Pick<Deletion, 'state'>): boolean {
  return state === 'cancelled';
}

function keyOf({ id, accountId }: Pick<Deletion, 'id' | 'accountId'>): DeletionKey {
  return { deletionId: id, accountId };
}

/** @param publications the number of earlier publications of the deletion */
function overdueAfterMs(publications: number, overdueMs: number): number {
  return Math.min(86_400_000, overdueMs * 2 ** Math.min(publications, 20));
}
