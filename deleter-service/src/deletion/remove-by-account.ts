import type { DeletionAcceptedData } from '@jobs-delete/proto/events';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { BatchControl, ReceivedEvent } from '../event-log/event-log.ts';
import type { DeletionState } from '../store/deletion.ts';
import type { DeletionKey, RemovalAnswer, RemovalPart } from '../store/store.ts';
import type { RemovalWorkerOptions } from './remove-jobs.ts';
import { withHeartbeats } from './with-heartbeats.ts';

export interface ParsedPart {
  readonly event: ReceivedEvent;
  readonly data: DeletionAcceptedData;
}

/** Parts that one call of the store has processed. */
export interface RemovedParts {
  readonly parts: readonly ParsedPart[];
  readonly answer: RemovalAnswer;
  readonly atMs: number;
}

/** Removes the jobs of the parts. Parts that are missing in the result are postponed. Rejects when the batch is lost. */
export type Removal = (parts: readonly ParsedPart[], batch: BatchControl) => Promise<RemovedParts[]>;

/** An attempt that may still be answered after its time limit. */
interface Attempt {
  readonly parts: readonly ParsedPart[];
  readonly atMs: number;
  readonly running: Promise<RemovalAnswer>;
}

/** The limit of an attempt for one account. The next one continues after the jobs that this one has removed. */
const attemptMs = 5_000;

/** The limit of the attempt for all accounts together. Usually a step takes a fifth of a second. */
const sharedAttemptMs = 2_500;

/** The limit of an attempt for an account whose removals were postponed lately. */
const sickAttemptMs = 2_000;

/** The removals of an account are postponed when they fail for so long, although the store confirms writes. */
const patienceMs = 3_000;

/** The time after which a postponed deletion is due again. */
const postponedMs = 60_000;

/** By then the relay has recorded the publication. */
const afterRecordMs = 10_000;

const maxConcurrentAccounts = 4;

/**
 * Removes the parts of all accounts in one call of the store. If it fails, each account is tried alone, so that the trouble
 * of one account is its own: it is postponed while the store works. Its deletions stay due, so a relay publishes them again.
 * A deletion that an unanswered attempt has completed is never due again, so it is not postponed: its removal is announced
 * by the next attempt. While nothing works, nothing is postponed, and the removal is retried here.
 * @param onLate called when an attempt is answered after its parts were postponed
 */
export function createRemoval(
  options: RemovalWorkerOptions,
  onLate: (removed: RemovedParts) => void,
): Removal {
  const { store, clock, random, onError } = options;
  const health = createHealth(clock);
  const postponement = createPostponement(options, health);

  const attempt = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    limitMs: number,
    attempts: Attempt[] = [],
  ) => {
    const atMs = clock.now();
    const running = store.removeJobs(parts.map(toRemovalPart), atMs);
    attempts.push({ parts, atMs, running });
    const answer = await withHeartbeats(() => running, batch, clock, limitMs);
    for (const accountId of new Set(parts.map(({ data }) => data.account_id))) health.onSuccess(accountId);
    return { parts, answer, atMs };
  };
  const removeOfAccount = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    earlier: readonly Attempt[],
  ): Promise<RemovedParts[]> => {
    const accountId = accountOf(parts);
    const attempts = [...earlier];
    for (let open = parts; ;) {
      try {
        return [await attempt(open, batch, health.isSick(accountId) ? sickAttemptMs : attemptMs, attempts)];
      } catch (error) {
        batch.signal.throwIfAborted();
        const failures = health.onFailure(accountId);
        onError(error, failures);
        const completed = await postponement.tryToPostpone(open, batch, error);
        if (completed !== undefined) {
          for (const { running, ...of } of attempts)
            void running.then((answer) => onLate({ ...of, answer })).catch(() => undefined);
          if (completed.length === 0) return [];
          open = completed;
        }
        await batch.heartbeat();
        await clock.sleep(Math.min(patienceMs, backoffMs(failures, random)), batch.signal);
        batch.signal.throwIfAborted();
      }
    }
  };
  const removeByAccount = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    earlier: readonly Attempt[] = [],
  ) => {
    const removed: RemovedParts[] = [];
    await forEachGroup(groupByAccount(parts), async (group) => {
      removed.push(...(await removeOfAccount(group, batch, earlier)));
    });
    return removed;
  };

  return async (parts, batch) => {
    const sick = parts.filter(({ data }) => health.isSick(data.account_id));
    const well = parts.filter(({ data }) => !health.isSick(data.account_id));
    const [first] = well;
    const isShared =
      first !== undefined && well.some(({ data }) => data.account_id !== first.data.account_id);
    if (!isShared) return removeByAccount(parts, batch);
    let removed: RemovedParts;
    const shared: Attempt[] = [];
    try {
      removed = await attempt(well, batch, sharedAttemptMs, shared);
    } catch (error) {
      batch.signal.throwIfAborted();
      onError(error, 1);
      return removeByAccount(parts, batch, shared);
    }
    return [removed, ...(await removeByAccount(sick, batch))];
  };
}

/** Counts failed attempts by account, over all deliveries of their events. */
function createHealth(clock: Clock) {
  const failing = new Map<string, { readonly sinceMs: number; readonly failures: number }>();
  /** The accounts whose removals were postponed lately, and until when they get one short attempt only. */
  const sickUntilMs = new Map<string, number>();
  return {
    onSuccess: (accountId: string) => {
      sickUntilMs.delete(accountId);
      failing.delete(accountId);
    },
    /** Returns how many attempts have failed since the last success. */
    onFailure: (accountId: string): number => {
      const { sinceMs = clock.now(), failures = 0 } = failing.get(accountId) ?? {};
      failing.set(accountId, { sinceMs, failures: failures + 1 });
      return failures + 1;
    },
    onPostponed: (accountId: string) => void sickUntilMs.set(accountId, clock.now() + postponedMs),
    isSick: (accountId: string) => (sickUntilMs.get(accountId) ?? -Infinity) > clock.now(),
    failureOf: (accountId: string) => failing.get(accountId) ?? { sinceMs: clock.now(), failures: 0 },
  };
}

function createPostponement(
  { store, clock, onPostponed }: RemovalWorkerOptions,
  health: ReturnType<typeof createHealth>,
) {
  /** A failure is harmless: the deletion is due at the end of its lease, or when its removal is overdue. */
  const postpone = (keys: readonly DeletionKey[]) => store.postpone(keys, clock.now() + postponedMs);
  return {
    /**
     * Postpones the parts whose deletions are not completed, and returns the others. Returns undefined if nothing is
     * postponed.
     */
    tryToPostpone: async (
      parts: readonly ParsedPart[],
      batch: BatchControl,
      error: unknown,
    ): Promise<readonly ParsedPart[] | undefined> => {
      const accountId = accountOf(parts);
      const { sinceMs, failures } = health.failureOf(accountId);
      // A clock that has stepped back must not prolong the wait.
      const isPatient = clock.now() - sinceMs < patienceMs && clock.now() >= sinceMs;
      if ((failures < 2 || isPatient) && !health.isSick(accountId)) return undefined;
      const keys = keysOf(parts);
      // A write that a majority confirms proves that the store works.
      const postponeAndRead = () => postpone(keys).then(() => store.findStates(keys));
      const states = await withHeartbeats(postponeAndRead, batch, clock, sickAttemptMs).catch(
        () => undefined,
      );
      if (states === undefined) return undefined;
      const isOpen = new Map(keys.map(({ deletionId }, index) => [deletionId, isUnfinished(states[index])]));
      const postponed = parts.filter(({ data }) => isOpen.get(data.deletion_id) === true);
      if (postponed.length === 0) return undefined;
      health.onPostponed(accountId);
      onPostponed?.(accountId, keysOf(postponed).length, error);
      // The relay records the publication some seconds after it, and then the deletion is due much later.
      void clock
        .sleep(afterRecordMs, batch.signal)
        .then(() => postpone(keysOf(postponed)))
        .catch(() => undefined);
      return parts.filter((part) => !postponed.includes(part));
    },
  };
}

/** Returns each deletion of the parts once. */
function keysOf(parts: readonly ParsedPart[]): DeletionKey[] {
  const accounts = new Map(parts.map(({ data }) => [data.deletion_id, data.account_id]));
  return [...accounts].map(([deletionId, accountId]) => ({ deletionId, accountId }));
}

function isUnfinished(state: DeletionState | undefined): boolean {
  return state !== undefined && state !== 'completed';
}

function accountOf([first]: readonly ParsedPart[]): string {
  return first?.data.account_id ?? '';
}

function toRemovalPart({ data, event }: ParsedPart): RemovalPart {
  return {
    deletionId: data.deletion_id,
    accountId: data.account_id,
    part: data.part,
    parts: data.parts,
    claims: data.jobs.map(({ claim }) => claim),
    traceparent: event.headers.traceparent,
  };
}

function groupByAccount(parts: readonly ParsedPart[]): ParsedPart[][] {
  const groups = new Map<string, ParsedPart[]>();
  for (const part of parts) {
    const group = groups.get(part.data.account_id);
    if (group === undefined) groups.set(part.data.account_id, [part]);
    else group.push(part);
  }
  return [...groups.values()];
}

/** Runs a few groups at the same time. */
async function forEachGroup<Group>(groups: Group[], run: (group: Group) => Promise<void>): Promise<void> {
  const runNext = async () => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) await run(group);
  };
  await Promise.all(Array.from({ length: maxConcurrentAccounts }, runNext));
}
