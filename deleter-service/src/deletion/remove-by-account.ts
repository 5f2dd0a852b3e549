import { forEachGroup } from '@jobs-delete/runtime/batching/groups';
import { Fault } from '@jobs-delete/runtime/fault';
import { backoffMs, type Random, type Clock } from '@jobs-delete/runtime/time/clock';
import type { BatchControl } from '../event-log/event-log.ts';
import type { Store } from '../store/store.ts';
import {
  accountOf,
  accountsOf,
  groupByAccount,
  keysOf,
  removeParts,
  type FailedEvent,
  type ParsedPart,
  type RemovePartsOptions,
} from './remove-parts.ts';
import { withHeartbeats } from './with-heartbeats.ts';

export interface RemovalOptions extends RemovePartsOptions {
  readonly store: Pick<Store, 'removeJobs' | 'recordRemovals' | 'postpone'>;
  readonly random: Random;
  readonly onError: (error: unknown, attempt: number) => void;
  readonly onPostponed?: (accountId: string, deletions: number, error: unknown) => void;
}

/** A batch of events, as far as it is processed. */
export interface BatchProgress {
  readonly batch: BatchControl;
  readonly startedAtMs: number;
  /** Events that will never be processed. */
  readonly failed: FailedEvent[];
  /** Parts that can be neither removed nor postponed now: put them back on the log. */
  readonly left: ParsedPart[];
}

/** The limit of an attempt for one account. The next one continues after the jobs that this one has removed. */
const attemptMs = 5_000;

/** The limit of the attempt for all accounts together. Usually a step takes a fifth of a second. */
const sharedAttemptMs = 2_500;

/** The limit of an attempt for accounts whose removals fail, and of a postponement. */
const sickAttemptMs = 2_000;

/** The longest wait between attempts. */
const maxWaitMs = 3_000;

/** No attempt starts later in a batch. The batch leaves the remaining parts, so that it ends before its time limit. */
const budgetMs = 7_000;

/** The time after which a postponed deletion is due again. */
const postponedMs = 40_000;

/**
 * Returns a function that removes the parts of all accounts in one attempt. If it fails, each account is tried alone, so
 * that the trouble of one account is its own. An account that fails is sick until an attempt succeeds. Some sick accounts
 * are tried now and then, and the deletions of the others are postponed: they stay due, so a relay publishes them again.
 * The function rejects when the batch is lost.
 */
export function createRemoval(options: RemovalOptions) {
  const { store, clock, random, onError, onPostponed } = options;
  const health = createHealth(clock);
  let postponeFailedAtMs = -Infinity;

  const isInTime = ({ startedAtMs }: BatchProgress) => clock.now() < startedAtMs + budgetMs;

  /** Returns the reason if the attempt fails. */
  const attempt = async (
    parts: readonly ParsedPart[],
    { batch, failed }: BatchProgress,
    limitMs: number,
  ): Promise<{ readonly error: unknown } | undefined> => {
    try {
      failed.push(...(await withHeartbeats(() => removeParts(parts, options), batch, clock, limitMs)));
    } catch (error) {
      batch.signal.throwIfAborted();
      onError(error, Math.max(...accountsOf(parts).map(health.onFailure)));
      return { error };
    }
    accountsOf(parts).forEach(health.onSuccess);
    return undefined;
  };

  /**
   * Returns false if the store does not confirm it. After that it is not tried for a while: a shard that hangs would hold
   * each batch.
   */
  const postpone = async (
    parts: readonly ParsedPart[],
    { batch }: BatchProgress,
    error: unknown,
  ): Promise<boolean> => {
    if (!health.isOver(postponeFailedAtMs, probeMs)) return false;
    const write = () => store.postpone(keysOf(parts), clock.now() + postponedMs);
    try {
      // A write that a majority confirms proves that the store works.
      await withHeartbeats(write, batch, clock, sickAttemptMs);
    } catch {
      batch.signal.throwIfAborted();
      postponeFailedAtMs = clock.now();
      return false;
    }
    for (const group of groupByAccount(parts)) onPostponed?.(accountOf(group), keysOf(group).length, error);
    return true;
  };
  const setAside = async (parts: readonly ParsedPart[], progress: BatchProgress, error: unknown) => {
    if (parts.length === 0) return;
    accountsOf(parts).forEach(health.onSick);
    if (!(await postpone(parts, progress, error))) progress.left.push(...parts);
  };

  const removeOfAccount = async (parts: readonly ParsedPart[], progress: BatchProgress) => {
    const accountId = accountOf(parts);
    const { batch } = progress;
    while (isInTime(progress)) {
      const failure = await attempt(parts, progress, attemptMs);
      if (failure === undefined) return;
      if (health.isPatienceOver(accountId)) {
        if (health.isAlone(accountId) || !isInTime(progress)) return setAside(parts, progress, failure.error);
        if (await postpone(parts, progress, failure.error)) {
          health.onSick(accountId);
          return;
        }
      }
      await batch.heartbeat();
      await clock.sleep(Math.min(maxWaitMs, backoffMs(health.failuresOf(accountId), random)), batch.signal);
      batch.signal.throwIfAborted();
    }
    progress.left.push(...parts);
  };
  /** Tries each account once, those first that have failed least, then goes on with those that fail. */
  const removeByAccount = async (parts: readonly ParsedPart[], progress: BatchProgress) => {
    const failing: ParsedPart[][] = [];
    let error: unknown;
    await forEachGroup(health.leastFailedFirst(groupByAccount(parts)), 16, async (group) => {
      if (!isInTime(progress)) return void progress.left.push(...group);
      const failure = await attempt(group, progress, sickAttemptMs);
      if (failure === undefined) return;
      error = failure.error;
      failing.push(group);
    });
    const isPatienceOver = (group: readonly ParsedPart[]) => health.isPatienceOver(accountOf(group));
    const young = failing.filter((group) => !isPatienceOver(group));
    await setAside(failing.filter(isPatienceOver).flat(), progress, error);
    await forEachGroup(young, 4, (group) => removeOfAccount(group, progress));
  };
  const removeWell = async (parts: readonly ParsedPart[], progress: BatchProgress) => {
    const accounts = accountsOf(parts).length;
    if (accounts === 1) await removeOfAccount(parts, progress);
    else if (accounts > 1 && (await attempt(parts, progress, sharedAttemptMs)) !== undefined)
      await removeByAccount(parts, progress);
  };
  /** Tries one account, then twice as many at a time while that succeeds. */
  const removeSick = async (parts: readonly ParsedPart[], progress: BatchProgress) => {
    let groups = health.longestUntriedFirst(groupByAccount(parts));
    let error: unknown = new Fault('unavailable', 'its removals failed a moment ago');
    for (let size = 1; groups.length > 0 && health.mayProbe() && isInTime(progress); size *= 2) {
      const failure = await attempt(groups.slice(0, size).flat(), progress, sickAttemptMs);
      if (failure === undefined) groups = groups.slice(size);
      else {
        health.onProbeFailed();
        error = failure.error;
      }
    }
    await setAside(groups.flat(), progress, error);
  };

  return async (parts: readonly ParsedPart[], progress: BatchProgress): Promise<void> => {
    if (!isInTime(progress)) return void progress.left.push(...parts);
    const isSick = ({ data }: ParsedPart) => health.isSick(data.account_id);
    const well = parts.filter((part) => !isSick(part));
    await Promise.all([removeWell(well, progress), removeSick(parts.filter(isSick), progress)]);
  };
}

/** After an attempt for failing accounts has failed, none of them is tried for so long. */
const probeMs = 5_000;

/** The removals of an account are postponed when they fail for so long, although the store confirms writes. */
const patienceMs = 3_000;

/** Counts failed attempts by account, over all deliveries of their events. */
function createHealth(clock: Clock) {
  const failing = new Map<string, { readonly sinceMs: number; readonly failures: number }>();
  /** The accounts whose removals fail, with the time of the last attempt. */
  const sick = new Map<string, number>();
  let succeededAtMs = -Infinity;
  let probeFailedAtMs = -Infinity;

  const failureOf = (accountId: string) => failing.get(accountId) ?? { sinceMs: clock.now(), failures: 0 };
  /** A clock that has stepped back must not prolong a wait. */
  const isOver = (sinceMs: number, ms: number) => clock.now() - sinceMs >= ms || clock.now() < sinceMs;
  return {
    isOver,
    onSuccess: (accountId: string) => {
      sick.delete(accountId);
      failing.delete(accountId);
      succeededAtMs = clock.now();
    },
    /** Returns how many attempts have failed since the last success. */
    onFailure: (accountId: string): number => {
      const { sinceMs, failures } = failureOf(accountId);
      failing.set(accountId, { sinceMs, failures: failures + 1 });
      if (sick.has(accountId)) sick.set(accountId, clock.now());
      return failures + 1;
    },
    onSick: (accountId: string) => {
      if (!sick.has(accountId)) sick.set(accountId, clock.now());
    },
    isSick: (accountId: string) => sick.has(accountId),
    failuresOf: (accountId: string) => failureOf(accountId).failures,
    isPatienceOver: (accountId: string) => isOver(failureOf(accountId).sinceMs, patienceMs),
    /** Others succeed while the account fails. */
    isAlone: (accountId: string) => succeededAtMs > failureOf(accountId).sinceMs,
    mayProbe: () => isOver(probeFailedAtMs, probeMs),
    onProbeFailed: () => {
      probeFailedAtMs = clock.now();
    },
    leastFailedFirst: (groups: readonly ParsedPart[][]) => {
      const failuresOf = (group: readonly ParsedPart[]) => failureOf(accountOf(group)).failures;
      return groups.toSorted((one, other) => failuresOf(one) - failuresOf(other));
    },
    longestUntriedFirst: (groups: readonly ParsedPart[][]) => {
      const triedAtMs = (group: readonly ParsedPart[]) => sick.get(accountOf(group)) ?? 0;
      return groups.toSorted((one, other) => triedAtMs(one) - triedAtMs(other));
    },
  };
}
