import type { BatchControl, EventRecord } from '../event-log/event-log.ts';
import { isFinal, type DeletionState } from '../store/deletion.ts';
import { groupByAccount, keysOf, type ParsedPart } from './parsed-part.ts';
import { probeMs } from './removal-health.ts';
import type { RemovalWorkerOptions } from './remove-jobs.ts';
import { withHeartbeats } from './with-heartbeats.ts';

/** The limit of a postponement. */
const limitMs = 2_000;

/** The time after which a postponed deletion is due again. Longer than a lease, so the record of its publication leaves it out. */
const postponedMs = 60_000;

/** By then an attempt without an answer has ended: four times the store's limit of an attempt. Clocks of workers differ. */
const unsettledMs = 60_000;

/** The header of an event that is put back: when its part was tried, in milliseconds since the Unix epoch. */
const triedHeader = 'removal_tried_at';

/** The parts that are not postponed. */
interface NotPostponed {
  readonly completed: readonly ParsedPart[];
  /** Parts that an attempt may have removed or may still remove. */
  readonly left: readonly ParsedPart[];
}

/**
 * Postpones parts, and knows which parts must not be postponed:
 * - A part of a deletion with several parts that was tried. Other parts may complete the deletion, so the deletion's
 *   state does not tell whether this part is removed.
 * - The only part of a deletion whose attempt has no answer yet. The attempt may complete the deletion later.
 */
export function createPostponement({
  store,
  clock,
  onPostponed,
}: Pick<RemovalWorkerOptions, 'clock' | 'onPostponed'> & {
  readonly store: Pick<RemovalWorkerOptions['store'], 'postpone' | 'findStates'>;
}) {
  let failedAtMs = -Infinity;
  /** The times of the attempts, oldest first. The header has them for other workers and later deliveries. */
  const triedAtMs = new Map<string, number>();
  const isSettled = (atMs: number) => Math.abs(clock.now() - atMs) >= unsettledMs;
  const onTried = (part: ParsedPart) => {
    triedAtMs.delete(idOf(part));
    triedAtMs.set(idOf(part), clock.now());
  };
  const triedAt = (part: ParsedPart) => {
    const header = part.event.headers[triedHeader];
    return triedAtMs.get(idOf(part)) ?? (header === undefined ? undefined : Number(header));
  };
  const mayPostpone = (part: ParsedPart) => {
    const atMs = triedAt(part);
    return atMs === undefined || (part.data.parts === 1 && isSettled(atMs));
  };

  return {
    onAttempt: (parts: readonly ParsedPart[]): void => {
      for (const [id, atMs] of triedAtMs) {
        if (!isSettled(atMs)) break;
        triedAtMs.delete(id);
      }
      for (const part of parts) if (part.data.parts > 1) onTried(part);
    },
    onUnanswered: (parts: readonly ParsedPart[]): void => parts.forEach(onTried),
    eventsOf: (parts: readonly ParsedPart[]): EventRecord[] =>
      parts.map((part) => {
        const atMs = triedAt(part);
        if (atMs === undefined) return part.event;
        return { ...part.event, headers: { ...part.event.headers, [triedHeader]: String(atMs) } };
      }),
    /**
     * Postpones the parts whose deletions are not completed, and returns the others. Returns undefined if that fails. After
     * a failure it is not tried for a while: a shard that hangs would hold each batch.
     */
    postpone: async (
      parts: readonly ParsedPart[],
      batch: BatchControl,
      error: unknown,
    ): Promise<NotPostponed | undefined> => {
      const left = parts.filter((part) => !mayPostpone(part));
      const some = parts.filter(mayPostpone);
      if (some.length === 0) return { completed: [], left };
      const sinceFailureMs = clock.now() - failedAtMs;
      if (sinceFailureMs >= 0 && sinceFailureMs < probeMs) return undefined;
      const keys = keysOf(some);
      // A write that a majority confirms proves that the store works.
      const dueAtMs = clock.now() + postponedMs;
      const postponeAndRead = () => store.postpone(keys, dueAtMs).then(() => store.findStates(keys));
      const states = await withHeartbeats(postponeAndRead, batch, clock, limitMs).catch(() => undefined);
      if (states === undefined) {
        batch.signal.throwIfAborted();
        failedAtMs = clock.now();
        return undefined;
      }
      const open = new Set(
        keys.filter((_, index) => isUnfinished(states[index])).map(({ deletionId }) => deletionId),
      );
      const isOpen = ({ data }: ParsedPart) => open.has(data.deletion_id);
      const postponed = some.filter(isOpen);
      for (const group of groupByAccount(postponed))
        onPostponed?.(group[0]?.data.account_id ?? '', keysOf(group).length, error);
      return { completed: some.filter((part) => !isOpen(part)), left };
    },
  };
}

function idOf({ data }: ParsedPart): string {
  return `${data.deletion_id}.${String(data.part)}`;
}

function isUnfinished(state: DeletionState | undefined): boolean {
  return state !== undefined && !isFinal(state);
}
