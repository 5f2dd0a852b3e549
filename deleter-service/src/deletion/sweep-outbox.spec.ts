import { beforeEach, describe, expect, test } from '@jest/globals';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { Deletion } from '../store/deletion.ts';
import type { LeaseQuery } from '../store/store.ts';
import { aDeletion, jobIds } from '../testing/deletions.ts';
import { createSweep, type Waiting } from './sweep-outbox.ts';

describe('the sweep of the outbox', () => {
  let clock: VirtualClock;
  let startMs: number;
  let sweep: ReturnType<typeof createSweep>;
  let due: Deletion[];
  let leaseDue: () => Promise<Deletion[]>;
  let queries: LeaseQuery[];
  let pushed: Waiting[];
  let errors: unknown[];
  let ends: number;
  let stopping: AbortController;

  beforeEach(() => {
    clock = createVirtualClock();
    startMs = clock.now();
    [due, queries, pushed, errors, ends, stopping] = [[], [], [], [], 0, new AbortController()];
    leaseDue = () => Promise.resolve(due.splice(0));
    sweep = createSweep(
      {
        store: {
          leaseDue: (query) => {
            queries.push(query);
            return leaseDue();
          },
        },
        clock,
        onError: (...told) => errors.push(told),
        leaseMs: 30_000,
        sweepMs: 1_000,
        maxDeletions: 500,
        onEnd: () => (ends += 1),
      },
      (item) => pushed.push(item),
      stopping.signal,
    );
  });

  const of = (accountId: string, jobs: number) => aDeletion(jobIds(jobs), { accountId });
  /** @returns the query, with times since the start of the test; undefined if there was none */
  const run = async (...found: readonly Deletion[]) => {
    due.push(...found);
    queries.length = 0;
    sweep.start();
    await clock.settle();
    const [query] = queries;
    if (query === undefined) return undefined;
    const { nowMs, fromMs, untilMs } = query;
    const sinceMs = fromMs === 0 ? 'ever' : fromMs - startMs;
    return { ...query, nowMs: nowMs - startMs, fromMs: sinceMs, untilMs: untilMs - startMs };
  };

  test('leases all due deletions first, then those due since a sweep found none, and all once a minute', async () => {
    const limits = { maxDeletions: 500, maxJobs: 20_000, exceptAccounts: [] };
    expect(await run()).toEqual({ ...limits, nowMs: 0, fromMs: 'ever', untilMs: 30_000 });
    await clock.advance(1_000);
    expect(await run()).toMatchObject({ fromMs: -60_000, untilMs: 31_000 });
    await clock.advance(58_999);
    expect(await run()).toMatchObject({ fromMs: -59_000 });
    await clock.advance(1);
    expect(await run()).toMatchObject({ fromMs: 'ever' });
    await clock.advance(59_999);
    expect(await run()).toMatchObject({ fromMs: 0 });
  });

  test('leases all due deletions after a step of the clock to before a sweep that found none', async () => {
    await run();
    await clock.advance(50_000);
    await run();
    clock.step(-20_000);
    expect(await run()).toMatchObject({ nowMs: 30_000, fromMs: 'ever' });
  });

  test('leases all due deletions after a step of the clock to before the last sweep of all', async () => {
    await run();
    await clock.advance(60_000);
    expect(await run(of('a', 1))).toMatchObject({ fromMs: 'ever' });
    clock.step(-20_000);
    pushed[0]?.release();
    expect(await run()).toMatchObject({ nowMs: 40_000, fromMs: 'ever' });
  });

  test('leaves out accounts whose deletions wait in memory', async () => {
    const [small, large, last] = [of('a', 50), of('a', 100), of('b', 20_000)];
    await run(small, large, last);
    expect(pushed.map(({ deletion }) => deletion)).toEqual([small, large, last]);
    expect(pushed.map(({ leasedUntilMs }) => leasedUntilMs - startMs)).toEqual([30_000, 30_000, 30_000]);
    expect(await run()).toMatchObject({ fromMs: 'ever', exceptAccounts: ['a', 'b'], maxJobs: 1 });
    expect(await run()).toMatchObject({ fromMs: -60_000 });

    pushed[2]?.release();
    expect(sweep.hasMore()).toBe(true);
    expect(await run()).toMatchObject({ fromMs: 'ever', exceptAccounts: ['a'], maxJobs: 19_850 });
    pushed[0]?.release();
    expect(sweep.hasMore()).toBe(false);
    expect(await run()).toMatchObject({ fromMs: -60_000, exceptAccounts: ['a'], maxJobs: 19_900 });
  });

  test.each([
    [10, 20_000],
    [1_000, 1],
  ])('with deletions of %i accounts, each of %i jobs, in memory leases none', async (accounts, jobs) => {
    const deletion = of('', jobs);
    await run(...Array.from({ length: accounts }, (_, index) => ({ ...deletion, accountId: String(index) })));
    await clock.advance(1_000);
    expect(sweep.hasMore()).toBe(false);
    expect(await run()).toBeUndefined();
    pushed[0]?.release();
    expect(sweep.hasMore()).toBe(true);
    expect(await run()).toMatchObject({ nowMs: 1_000 });
  });

  test('is due at its time, and has more when it leased some or some are left in the outbox', async () => {
    expect([sweep.isDue(), sweep.hasMore()]).toEqual([true, true]);
    await run(of('a', 1));
    expect([sweep.isDue(), sweep.hasMore()]).toEqual([false, true]);
    await run();
    expect([sweep.isDue(), sweep.hasMore()]).toEqual([false, false]);
    sweep.expectMore('a');
    expect(sweep.hasMore()).toBe(false);
    sweep.expectMore('b');
    expect(sweep.hasMore()).toBe(true);
    await clock.advance(999);
    expect(sweep.isDue()).toBe(false);
    await clock.advance(1);
    expect(sweep.isDue()).toBe(true);
    await run();
    clock.step(-1);
    expect(sweep.isDue()).toBe(true);

    sweep.expectMore('b');
    stopping.abort();
    expect([sweep.isDue(), sweep.hasMore()]).toEqual([false, false]);
  });

  test('runs once at a time, and tells when it ends', async () => {
    const answer = new AbortController();
    leaseDue = () => clock.sleep(60_000, answer.signal).then(() => []);
    expect(await sweep.ended()).toBe(false);
    sweep.start();
    sweep.start();
    await clock.advance(5_000);
    sweep.expectMore('a');
    expect([sweep.isDue(), sweep.hasMore()]).toEqual([false, false]);
    expect([queries.length, ends]).toEqual([1, 0]);
    const ended = sweep.ended();
    answer.abort();
    expect(await ended).toBe(true);
    expect(ends).toBe(1);
    expect(sweep.isDue()).toBe(true);
  });

  test('reports a store that fails, and is due again at its time', async () => {
    const error = new Error('its shard is down');
    leaseDue = () => Promise.reject(error);
    await run();
    expect(errors).toEqual([[error, 1]]);
    expect(ends).toBe(1);
    expect([sweep.isDue(), sweep.hasMore()]).toEqual([false, false]);
    await clock.advance(1_000);
    expect(sweep.isDue()).toBe(true);
  });
});
