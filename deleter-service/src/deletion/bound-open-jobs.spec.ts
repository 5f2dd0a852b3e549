import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { Deletion } from '../store/deletion.ts';
import type { DeletionKey } from '../store/store.ts';
import { aDeletion, jobIds } from '../testing/deletions.ts';
import { boundOpenJobs } from './bound-open-jobs.ts';

describe('the bound of open jobs', () => {
  let clock: VirtualClock;
  let startMs: number;
  let openJobs: ReturnType<typeof boundOpenJobs>;
  let removed: Deletion[];
  let stateOfRemoved: Deletion['state'] | undefined;
  let askedAtMs: number[];
  let freedAtMs: number[];
  let beforeAnswer: (keys: readonly DeletionKey[]) => Promise<void>;
  let onFreed: () => unknown;

  beforeEach(() => {
    clock = createVirtualClock();
    startMs = clock.now();
    [removed, stateOfRemoved, askedAtMs, freedAtMs] = [[], 'completed', [], []];
    beforeAnswer = () => Promise.resolve();
    onFreed = () => undefined;
    const isRemoved = ({ deletionId, accountId }: DeletionKey) =>
      removed.some((one) => one.id === deletionId && one.accountId === accountId);
    openJobs = boundOpenJobs({
      store: {
        findStates: async (keys) => {
          askedAtMs.push(sinceStart());
          await beforeAnswer(keys);
          return keys.map((key) => (isRemoved(key) ? stateOfRemoved : 'published'));
        },
      },
      clock,
      onFreed: () => {
        freedAtMs.push(sinceStart());
        onFreed();
      },
      maxOpenJobs: { large: 1_000, small: 100 },
    });
  });
  afterEach(async () => {
    const stopping = openJobs.stop();
    await clock.advance(10_000);
    await stopping;
  });

  const sinceStart = () => clock.now() - startMs;
  const of = (accountId: string, jobs: number) => aDeletion(jobIds(jobs), { accountId });
  const publish = (...deletions: Deletion[]) => {
    expect(deletions.map(openJobs.judge)).toEqual(deletions.map(() => 'take'));
    openJobs.watch(deletions);
    return deletions;
  };
  /** Makes the states polled. */
  const judgeBlocked = () => openJobs.judge(of('blocked', 150));
  const expectAllFree = () => expect(openJobs.judge(of('any', 100))).toBe('take');

  test('an account with nothing on the log goes next, and one with its share of jobs there waits', () => {
    publish(of('a', 75));
    expect(openJobs.judge(of('a', 1))).toBe('skip');
    expect(openJobs.judge(of('b', 30))).toBe('end');
    expect(openJobs.judge(of('b', 15))).toBe('take');
    expect(openJobs.judge(of('b', 30))).toBe('skip');
  });

  test('large and small deletions have their own permits', () => {
    publish(of('a', 100), of('a', 600));
    expect(openJobs.judge(of('b', 1))).toBe('end');
    expect(openJobs.judge(of('b', 400))).toBe('take');
    expect(openJobs.judge(of('c', 200))).toBe('end');
  });

  test.each(['completed', undefined] as const)(
    'permits are free again when the last deletion of the publication is %s',
    async (state) => {
      stateOfRemoved = state;
      const [first, last] = publish(of('a', 60), of('b', 30)) as [Deletion, Deletion];
      removed.push(first);
      await clock.advance(1_050);
      expect(freedAtMs).toEqual([]);
      removed.push(last);
      await clock.advance(1_000);
      expect(freedAtMs).toEqual([1_100]);
      // Nothing is left to ask for.
      expect(askedAtMs.at(-1)).toBe(1_100);
      expectAllFree();
      expect(openJobs.judge(of('c', 1))).toBe('end');
    },
  );

  test.each([
    [50, false],
    [51, true],
    [500, false],
    [501, true],
  ])('with %i open jobs, that states are polled is %s', async (jobs, arePolled) => {
    publish(of('a', jobs));
    await clock.advance(1_000);
    expect(askedAtMs.length > 0).toBe(arePolled);
  });

  test('a refused deletion makes the states polled until permits are free again', async () => {
    expect(openJobs.judge(of('not-published-yet', 20))).toBe('take');
    judgeBlocked();
    await clock.advance(100);
    expect(askedAtMs).toEqual([]);

    const [first] = publish(of('a', 20));
    publish(of('b', 10));
    judgeBlocked();
    await clock.advance(200);
    removed.push(first as Deletion);
    await clock.advance(1_000);
    expect(askedAtMs).toEqual([200, 300, 400]);
    expect(freedAtMs).toEqual([400]);
  });

  test('a deletion of another account tells after 3 seconds, because the last one may be postponed', async () => {
    const [early, other] = publish(of('a', 20), of('a', 20), of('b', 20), of('b', 20));
    removed.push(early as Deletion);
    await clock.advance(4_950);
    expect(freedAtMs).toEqual([]);
    removed.push(other as Deletion);
    await clock.advance(100);
    expect(freedAtMs).toEqual([5_000]);

    const [, soon] = publish(of('a', 20), of('a', 20), of('b', 20), of('b', 20));
    removed.push(soon as Deletion);
    await clock.advance(5_000);
    expect(freedAtMs).toEqual([5_000, 8_150]);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('its shard is down')), 100],
    ['hangs', () => new Promise<never>(() => undefined), 4_100],
  ])('a shard that %s hides no progress of other accounts', async (_, fail, atMs) => {
    beforeAnswer = (keys) =>
      keys.some(({ accountId }) => accountId === 'sick') ? fail() : Promise.resolve();
    publish(of('sick', 40));
    removed.push(...publish(of('well', 40)));
    await clock.advance(5_000);
    expect(freedAtMs).toEqual([atMs]);
  });

  test('accounts are asked alone four at a time, and a single one is not asked again', async () => {
    let running = 0;
    let mostRunning = 0;
    beforeAnswer = async () => {
      mostRunning = Math.max(mostRunning, ++running);
      await clock.sleep(1);
      running -= 1;
      throw new Error('the store is down');
    };
    publish(of('0', 10));
    judgeBlocked();
    await clock.advance(110);
    expect(askedAtMs).toEqual([100]);
    for (const accountId of '123456') publish(of(accountId, 10));
    await clock.advance(105);
    expect(askedAtMs).toHaveLength(1 + 1 + 7);
    expect(mostRunning).toBe(4);
  });

  test('while nothing is removed, one publication after the other no longer counts, ever more rarely', async () => {
    for (const accountId of '123456789') publish(of(accountId, 10));
    onFreed = judgeBlocked;
    judgeBlocked();
    await clock.advance(2_600_000);
    expect(freedAtMs.map((ms) => Math.floor(ms / 1_000))).toEqual([
      10, 30, 70, 150, 310, 630, 1_270, 1_910, 2_550,
    ]);
  });

  test('a publication that a newer one has overtaken no longer counts after 10 seconds', async () => {
    publish(of('a', 30));
    await clock.advance(1_000);
    publish(of('b', 10));
    const [newest] = publish(of('c', 50));
    await clock.advance(5_000);
    removed.push(newest as Deletion);
    onFreed = judgeBlocked;
    await clock.advance(20_000);
    // The second one is as old as the newest, so it counts until 10 seconds after the last progress.
    expect(freedAtMs).toEqual([6_100, 10_000, 16_100]);
  });

  test('at most 100 publications are asked for at a time, and the others next', async () => {
    let most = 0;
    beforeAnswer = (keys) => Promise.resolve(void (most = Math.max(most, keys.length)));
    for (let index = 0; index < 100; index++) publish(of(`early-${String(index)}`, 1));
    removed.push(...publish(of('late', 200)));
    await clock.advance(1_000);
    expect(freedAtMs).toEqual([200]);
    expect(most).toBe(100);
  });

  test('stops asking, and ends when the answer is there', async () => {
    const answer = new AbortController();
    beforeAnswer = () => clock.sleep(1_000, answer.signal);
    publish(of('a', 60));
    await clock.advance(100);
    let hasStopped = false;
    const stopping = openJobs.stop().then(() => (hasStopped = true));
    await clock.settle();
    expect(hasStopped).toBe(false);
    answer.abort();
    await stopping;
    openJobs.watch([of('b', 60)]);
    await clock.advance(1_000);
    expect(askedAtMs).toEqual([100]);
  });
});
