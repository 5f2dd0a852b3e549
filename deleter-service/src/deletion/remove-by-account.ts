import { asFault, Fault } from '@jobs-delete/runtime/fault';
import { backoffMs } from '@jobs-delete/runtime/time/backoff';
import type { BatchControl, EventRecord } from '../event-log/event-log.ts';
import type { RemovalAnswer, RemovalPart } from '../store/store.ts';
import { forEachGroup } from '@jobs-delete/runtime/batching/groups';
import { accountsOf, groupByAccount, type ParsedPart } from './parsed-part.ts';
import { createHealth } from './removal-health.ts';
import { createPostponement } from './postpone-removals.ts';
import type { RemovalWorkerOptions } from './remove-jobs.ts';
import { withHeartbeats } from './with-heartbeats.ts';

/** Parts that one call of the store has processed. */
export interface RemovedParts {
  readonly parts: readonly ParsedPart[];
  readonly answer: RemovalAnswer;
  readonly atMs: number;
}

export interface Removal {
  /** Removes the jobs of the parts. Rejects when the batch is lost. Parts that are not in the result are postponed. */
  remove(parts: readonly ParsedPart[], batch: BatchControl, startedAtMs: number): Promise<RemovalResult>;
  /** Returns the events of the parts, to be put back on the log. */
  eventsOf(parts: readonly ParsedPart[]): EventRecord[];
  /** While removals can't be announced, those of the account are postponed. */
  onAnnounced(accountId: string, isAnnounced: boolean): void;
  isUnannounced(accountId: string): boolean;
  longestUntriedFirst(groups: readonly ParsedPart[][]): ParsedPart[][];
}

export interface RemovalResult {
  readonly removed: readonly RemovedParts[];
  /** Parts that can be neither removed nor postponed now: put them back on the log. */
  readonly left: readonly ParsedPart[];
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

/**
 * Removes the parts of all accounts in one call of the store. If it fails, each account is tried alone, so that the trouble
 * of one account is its own. An account that fails is sick until an attempt succeeds. Some sick accounts are tried now and
 * then, and the deletions of the others are postponed: they stay due, so a relay publishes them again.
 *
 * Invariant: the event of a part stays on the log until its removal is announced. An attempt can remove a part after the
 * worker has stopped waiting. Then the part can't be postponed: a completed deletion is never due again. Such parts are left.
 */
export function createRemoval(options: RemovalWorkerOptions): Removal {
  const { store, clock, random, onError } = options;
  const health = createHealth(clock);
  const postponement = createPostponement(options);

  const attempt = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    limitMs: number,
  ): Promise<RemovedParts> => {
    const atMs = clock.now();
    postponement.onAttempt(parts);
    try {
      const remove = () => store.removeJobs(parts.map(toRemovalPart), atMs);
      const answer = await withHeartbeats(remove, batch, clock, limitMs);
      for (const accountId of accountsOf(parts)) health.onSuccess(accountId);
      return { parts, answer, atMs };
    } catch (error) {
      const isUnanswered = batch.signal.aborted || asFault(error).code === 'unknown-outcome';
      if (isUnanswered) postponement.onUnanswered(parts);
      batch.signal.throwIfAborted();
      const failures = accountsOf(parts).map(health.onFailure);
      onError(error, Math.max(...failures));
      throw error;
    }
  };

  /** Postpones what it may, and tries once to announce what is completed. Returns undefined if the store does not answer. */
  const setAside = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    endsAtMs: number,
    error: unknown,
  ): Promise<RemovalResult | undefined> => {
    if (parts.length === 0) return nothing;
    const kept = await postponement.postpone(parts, batch, error);
    if (kept === undefined) return undefined;
    for (const accountId of accountsOf(parts)) health.onSick(accountId);
    const { completed, left } = kept;
    if (completed.length === 0 || clock.now() >= endsAtMs)
      return { removed: [], left: [...left, ...completed] };
    return attempt(completed, batch, sickAttemptMs).then(
      (removed) => ({ removed: [removed], left }),
      () => {
        batch.signal.throwIfAborted();
        return { removed: [], left: [...left, ...completed] };
      },
    );
  };

  const setAsideOrLeave = async (...given: Parameters<typeof setAside>): Promise<RemovalResult> => {
    const [parts] = given;
    const aside = await setAside(...given);
    if (aside !== undefined) return aside;
    for (const accountId of accountsOf(parts)) health.onSick(accountId);
    return { removed: [], left: parts };
  };
  const isPatienceOver = (group: readonly ParsedPart[]) => accountsOf(group).every(health.isPatienceOver);

  const removeOfAccount = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    endsAtMs: number,
  ): Promise<RemovalResult> => {
    const [accountId = ''] = accountsOf(parts);
    for (;;) {
      if (clock.now() >= endsAtMs) return { removed: [], left: parts };
      try {
        return { removed: [await attempt(parts, batch, attemptMs)], left: [] };
      } catch (error) {
        batch.signal.throwIfAborted();
        if (health.isPatienceOver(accountId)) {
          if (health.isAlone(accountId) || clock.now() >= endsAtMs)
            return setAsideOrLeave(parts, batch, endsAtMs, error);
          const aside = await setAside(parts, batch, endsAtMs, error);
          if (aside !== undefined) return aside;
        }
        await batch.heartbeat();
        await clock.sleep(Math.min(maxWaitMs, backoffMs(health.failuresOf(accountId), random)), batch.signal);
        batch.signal.throwIfAborted();
      }
    }
  };
  /** Tries each account once, those first that have failed least, then goes on with those that fail. */
  const removeByAccount = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    endsAtMs: number,
  ): Promise<RemovalResult> => {
    const removed: RemovedParts[] = [];
    const left: ParsedPart[] = [];
    const failed: ParsedPart[][] = [];
    let failure: unknown;
    await forEachGroup(health.leastFailedFirst(groupByAccount(parts)), 16, async (group) => {
      if (clock.now() >= endsAtMs) return void left.push(...group);
      try {
        removed.push(await attempt(group, batch, sickAttemptMs));
      } catch (error) {
        batch.signal.throwIfAborted();
        failure = error;
        failed.push(group);
      }
    });
    const [old, young] = [
      failed.filter(isPatienceOver).flat(),
      failed.filter((group) => !isPatienceOver(group)),
    ];
    const results = [{ removed, left }, await setAsideOrLeave(old, batch, endsAtMs, failure)];
    await forEachGroup(young, 4, async (group) => {
      results.push(await removeOfAccount(group, batch, endsAtMs));
    });
    return together(results);
  };
  const removeWell = async (parts: readonly ParsedPart[], batch: BatchControl, endsAtMs: number) => {
    if (accountsOf(parts).length === 1) return removeOfAccount(parts, batch, endsAtMs);
    try {
      return { removed: [await attempt(parts, batch, sharedAttemptMs)], left: [] };
    } catch {
      batch.signal.throwIfAborted();
      return removeByAccount(parts, batch, endsAtMs);
    }
  };
  /** Tries one account, then twice as many at a time while that succeeds. */
  const removeSick = async (
    parts: readonly ParsedPart[],
    batch: BatchControl,
    endsAtMs: number,
  ): Promise<RemovalResult> => {
    let groups = health.longestUntriedFirst(groupByAccount(parts));
    const isAnnounced = ([part]: readonly ParsedPart[]) => !health.isUnannounced(part?.data.account_id ?? '');
    const removed: RemovedParts[] = [];
    let failure: unknown = new Fault('unavailable', 'its removals failed a moment ago');
    for (let size = 1; groups.length > 0 && health.mayProbe() && clock.now() < endsAtMs; size *= 2) {
      // An announcement that fails shows only later, so only one account without announcements is tried.
      const some = size === 1 ? groups.slice(0, 1) : groups.filter(isAnnounced).slice(0, size);
      if (some.length === 0) break;
      try {
        removed.push(await attempt(some.flat(), batch, sickAttemptMs));
        groups = groups.filter((group) => !some.includes(group));
      } catch (error) {
        batch.signal.throwIfAborted();
        health.onProbeFailed();
        failure = error;
      }
    }
    const rest = groups.flat();
    return together([{ removed, left: [] }, await setAsideOrLeave(rest, batch, endsAtMs, failure)]);
  };

  return {
    remove: async (parts, batch, startedAtMs) => {
      const endsAtMs = startedAtMs + budgetMs;
      if (clock.now() >= endsAtMs) return { removed: [], left: parts };
      const isSick = ({ data }: ParsedPart) => health.isSick(data.account_id);
      const well = parts.filter((part) => !isSick(part));
      return together(
        await Promise.all([
          well.length > 0 ? removeWell(well, batch, endsAtMs) : nothing,
          removeSick(parts.filter(isSick), batch, endsAtMs),
        ]),
      );
    },
    eventsOf: postponement.eventsOf,
    onAnnounced: health.onAnnounced,
    isUnannounced: health.isUnannounced,
    longestUntriedFirst: health.longestUntriedFirst,
  };
}

const nothing: RemovalResult = { removed: [], left: [] };

function together(results: readonly RemovalResult[]): RemovalResult {
  return { removed: results.flatMap(({ removed }) => removed), left: results.flatMap(({ left }) => left) };
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
