import type { BatchControl } from '../event-log/event-log.ts';
import type { DeletionState } from '../store/deletion.ts';
import type { DeletionKey } from '../store/store.ts';
import { groupByAccount, keysOf, type ParsedPart } from './parsed-part.ts';
import { probeMs } from './removal-health.ts';
import type { RemovalWorkerOptions } from './remove-jobs.ts';
import { withHeartbeats } from './with-heartbeats.ts';

/** The limit of a postponement. */
const limitMs = 2_000;

/** The time after which a postponed deletion is due again. */
const postponedMs = 60_000;

/** By then the relay has recorded the publication. */
const afterRecordMs = 10_000;

/**
 * Postpones the parts whose deletions are not completed, and returns the others. Returns undefined if that fails. After a
 * failure it is not tried for a while: a shard that hangs would hold each batch.
 */
export function createPostponement({ store, clock, onPostponed }: RemovalWorkerOptions) {
  let failedAtMs = -Infinity;
  const setDue = (keys: readonly DeletionKey[]) => store.postpone(keys, clock.now() + postponedMs);

  return async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    error: unknown,
  ): Promise<readonly ParsedPart[] | undefined> => {
    const sinceFailureMs = clock.now() - failedAtMs;
    if (sinceFailureMs >= 0 && sinceFailureMs < probeMs) return undefined;
    const keys = keysOf(parts);
    // A write that a majority confirms proves that the store works.
    const postponeAndRead = () => setDue(keys).then(() => store.findStates(keys));
    const states = await withHeartbeats(postponeAndRead, batch, clock, limitMs).catch(() => undefined);
    if (states === undefined) {
      batch.signal.throwIfAborted();
      failedAtMs = clock.now();
      return undefined;
    }
    const open = new Set(
      keys.filter((_, index) => isUnfinished(states[index])).map(({ deletionId }) => deletionId),
    );
    const postponed = parts.filter(({ data }) => open.has(data.deletion_id));
    for (const group of groupByAccount(postponed))
      onPostponed?.(group[0]?.data.account_id ?? '', keysOf(group).length, error);
    // The relay records the publication some seconds after it, and then the deletion is due much later.
    if (postponed.length > 0)
      void clock
        .sleep(afterRecordMs, batch.signal)
        .then(() => setDue(keysOf(postponed)))
        .catch(() => undefined);
    return parts.filter((part) => !postponed.includes(part));
  };
}

function isUnfinished(state: DeletionState | undefined): boolean {
  return state !== undefined && state !== 'completed';
}
