import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DeletionAcceptedData } from '@jobs-delete/proto/events';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { DeletionKey } from '../store/store.ts';
import { aDeletion } from '../testing/deletions.ts';
import { received } from '../testing/events.ts';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import { createRemoval, type BatchProgress } from './remove-by-account.ts';
import type { ParsedPart } from './remove-parts.ts';

describe('attempts to remove by account', () => {
  let clock: VirtualClock;
  let startMs: number;
  let failing: Set<string>;
  let fail: () => Promise<unknown>;
  let canPostpone: boolean;
  let tried: { atMs: number; accounts: string }[];
  let postponed: { atMs: number; keys: readonly DeletionKey[]; dueMs: number }[];
  let told: { accountId: string; deletions: number; error: string }[];
  let errors: number[];
  let removal: ReturnType<typeof createRemoval>;

  beforeEach(() => {
    clock = createVirtualClock();
    startMs = clock.now();
    [failing, tried, postponed, told, errors, canPostpone] = [new Set(), [], [], [], [], true];
    fail = () => Promise.reject(new Error('its shard is down'));
    removal = createRemoval({
      store: {
        removeJobs: async (parts) => {
          const accounts = [...new Set(parts.map(({ accountId }) => accountId))];
          tried.push({ atMs: sinceStart(), accounts: accounts.join(' ') });
          await clock.sleep(10);
          if (accounts.some((accountId) => failing.has(accountId))) await fail();
          return { refused: [], parts: [], removed: 0 };
        },
        recordRemovals: () => Promise.resolve(),
        postpone: (keys, dueAtMs) => {
          postponed.push({ atMs: sinceStart(), keys, dueMs: dueAtMs - startMs });
          return canPostpone ? Promise.resolve() : Promise.reject(new Error('no majority'));
        },
      },
      eventLog: { publish: () => Promise.reject(new Error('announces nothing')) },
      clock,
      random: { uuid: () => '', fraction: () => 1 },
      jobDeletedEvents: false,
      onError: (_, attempt) => errors.push(attempt),
      onPostponed: (accountId, deletions, error) =>
        told.push({ accountId, deletions, error: (error as Error).message }),
    });
  });

  const sinceStart = () => clock.now() - startMs;
  const partsOf = (accountId: string): ParsedPart[] =>
    toDeletionAcceptedEvents(aDeletion(['job0001'], { id: `of ${accountId}`, accountId })).map((record) => ({
      event: received(record),
      data: JSON.parse(record.value.toString()) as DeletionAcceptedData,
    }));
  /** Begins to remove one part of each account as one batch. @returns the accounts whose parts are left */
  const begin = async (accounts: readonly string[], batchAgeMs = 0) => {
    const progress: BatchProgress = {
      batch: { heartbeat: () => Promise.resolve(), signal: new AbortController().signal },
      startedAtMs: clock.now() - batchAgeMs,
      failed: [],
      left: [],
    };
    await removal(accounts.flatMap(partsOf), progress);
    return progress.left.map(({ data }) => data.account_id);
  };
  const remove = async (accounts: readonly string[], batchAgeMs = 0) => {
    let isDone = false;
    const removing = begin(accounts, batchAgeMs).finally(() => (isDone = true));
    await clock.runUntil(() => isDone);
    return removing;
  };
  /** Others succeed meanwhile, so the account is sick as soon as patience is over. */
  const makeSick = async (accountId: string) => {
    failing.add(accountId);
    const left = await remove([accountId, 'well']);
    [tried, postponed, told, errors] = [[], [], [], []];
    return left;
  };

  test('accounts that work are removed together, and nothing else is written', async () => {
    expect(await remove(['a', 'b'])).toEqual([]);
    expect(tried).toEqual([{ atMs: 0, accounts: 'a b' }]);
    expect(postponed).toEqual([]);
  });

  test.each([
    [6_999, []],
    [7_000, ['a', 'b']],
  ])('a batch of age %i ms leaves %j', async (ageMs, left) => {
    expect(await remove(['a', 'b'], ageMs)).toEqual(left);
  });

  test('an account that fails is tried alone until it is postponed, then with the others once it works', async () => {
    failing.add('a');
    await remove(['a', 'b']);
    expect(tried.map(({ accounts }) => accounts)).toEqual(['a b', 'a', 'b', 'a', 'a', 'a', 'a', 'a']);
    expect(errors).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(sinceStart()).toBe(5_870);
    expect(postponed).toEqual([
      { atMs: 5_870, keys: [{ deletionId: 'of a', accountId: 'a' }], dueMs: 45_870 },
    ]);
    expect(told).toEqual([{ accountId: 'a', deletions: 1, error: 'its shard is down' }]);

    failing.clear();
    [tried, errors] = [[], []];
    await remove(['a']);
    await remove(['a', 'b']);
    expect(tried.map(({ accounts }) => accounts)).toEqual(['a', 'a b']);
    failing.add('a');
    await remove(['a'], 6_900);
    expect(errors).toEqual([1]);
  });

  test('an account alone is postponed when it has failed for three seconds', async () => {
    failing.add('a');
    await remove(['a']);
    expect(postponed.map(({ atMs }) => atMs)).toEqual([3_160]);
  });

  test('an account that cannot be postponed is tried until the batch is old, and is left', async () => {
    failing.add('a');
    canPostpone = false;
    expect(await remove(['a'])).toEqual(['a']);
    expect(sinceStart()).toBeGreaterThan(7_000);
    // It is not sick: nothing shows that the store works for others.
    [tried, errors] = [[], []];
    failing.clear();
    await remove(['a', 'b']);
    expect(tried.map(({ accounts }) => accounts)).toEqual(['a b']);
  });

  test('while others succeed, an account that cannot be postponed is left at once, and is sick', async () => {
    canPostpone = false;
    expect(await makeSick('a')).toEqual(['a']);
    expect(sinceStart()).toBe(5_870);
    failing.clear();
    await remove(['a', 'b']);
    expect(tried.map(({ accounts }) => accounts).sort()).toEqual(['a', 'b']);
  });

  test('of accounts that fail in two batches, those that failed least are tried first', async () => {
    failing.add('a');
    const batches = [begin(['a'])];
    await clock.advance(400);
    [tried, errors] = [[], []];
    batches.push(begin(['a', 'b']));
    await clock.advance(10);
    expect(errors).toEqual([4]);
    expect(tried.map(({ accounts }) => accounts)).toEqual(['a b', 'b', 'a']);
    await clock.advance(20_000);
    await Promise.all(batches);
  });

  test('hung accounts that a batch has no time for are left', async () => {
    const accounts = Array.from({ length: 60 }, (_, index) => `account-${String(index)}`);
    failing = new Set(accounts);
    fail = () => new Promise(() => undefined);
    expect(await remove(accounts)).toEqual(accounts.slice(48));
    expect(told.map(({ accountId }) => accountId)).toEqual(accounts.slice(0, 48));
    expect(sinceStart()).toBe(8_500);
  });

  test.each([
    [4_999, 0, 0],
    [5_000, 0, 1],
    [0, -3_600_000, 1],
  ])(
    'after %i ms and a step of the clock by %i ms, a sick account is tried %i times',
    async (afterMs, step, times) => {
      await makeSick('a');
      await remove(['a']);
      expect(tried).toHaveLength(1);
      expect(told).toMatchObject([{ error: 'its shard is down' }]);
      [tried, told] = [[], []];
      await clock.advance(afterMs);
      clock.step(step);
      await remove(['a']);
      expect(tried).toHaveLength(times);
      const error = times === 0 ? 'its removals failed a moment ago' : 'its shard is down';
      expect(told).toEqual([{ accountId: 'a', deletions: 1, error }]);
    },
  );

  test.each([
    [4_989, 0, 0],
    [4_990, 0, 1],
    [0, -3_600_000, 1],
  ])('%i ms after a postponement failed, and a step by %i ms, %i are tried', async (afterMs, step, times) => {
    canPostpone = false;
    await makeSick('a');
    await clock.advance(afterMs);
    clock.step(step);
    expect(await remove(['a'])).toEqual(['a']);
    expect(postponed).toHaveLength(times);
  });
});
