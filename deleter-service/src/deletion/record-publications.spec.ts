import { beforeEach, describe, expect, test } from '@jest/globals';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { aDeletion } from '../testing/deletions.ts';
import { failing, type Failing } from '../testing/failing.ts';
import type { LeasedKey } from '../store/store.ts';
import { recordPublications, type RecordPublicationsOptions } from './record-publications.ts';

describe('records of publications', () => {
  let clock: VirtualClock;
  let startMs: number;
  let store: Failing<RecordPublicationsOptions['store']>;
  let recorded: { ids: readonly string[]; publishedMs: number; dueMs: number; atMs: number }[];
  let leaseEnds: number[][];
  let ended: number[];
  let errors: string[];

  beforeEach(() => {
    clock = createVirtualClock();
    startMs = clock.now();
    [recorded, leaseEnds, ended, errors] = [[], [], [], []];
    store = failing({
      markPublished: (leased: readonly LeasedKey[], publishedAtMs: number, nextDueAtMs: number) => {
        leaseEnds.push(leased.map(({ leasedUntilMs }) => leasedUntilMs - startMs));
        const ids = leased.map(({ deletionId }) => deletionId);
        const [publishedMs, dueMs] = [publishedAtMs - startMs, nextDueAtMs - startMs];
        recorded.push({ ids, publishedMs, dueMs, atMs: clock.now() - startMs });
        return Promise.resolve();
      },
      endCancelled: (keys) => Promise.resolve(void ended.push(keys.length)),
    });
  });

  const start = () =>
    recordPublications({
      store: store.port,
      clock,
      random: { uuid: () => '', fraction: () => 1 },
      onError: (error, attempt) => errors.push(`${String(attempt)} ${(error as Error).message}`),
      recordAfterMs: 5_000,
      overdueMs: 60_000,
    });
  const published = (id: string, publications = 0) => ({
    ...aDeletion(['job0001'], { id }),
    publications,
    leasedUntilMs: clock.now() + 30_000,
  });

  test('are written late and together, with the time of the last one', async () => {
    const records = start();
    records.add([published('a'), { ...published('b'), accountId: 'other' }]);
    await clock.advance(3_000);
    records.add([published('c')]);
    await clock.advance(1_999);
    expect(recorded).toEqual([]);
    await clock.advance(1);
    expect(recorded).toEqual([{ ids: ['a', 'b', 'c'], publishedMs: 3_000, dueMs: 63_000, atMs: 5_000 }]);
    await clock.advance(60_000);
    expect(recorded).toHaveLength(1);
  });

  test('name the ends of the leases, so a deletion that is postponed is left out', async () => {
    const records = start();
    const early = published('a');
    await clock.advance(20_000);
    records.add([early, published('b'), published('c')]);
    await clock.advance(5_000);
    expect(leaseEnds).toEqual([[30_000, 50_000, 50_000]]);
  });

  test('are tried once if the lease ends during the delay', async () => {
    start().add([{ ...published('a'), leasedUntilMs: clock.now() + 1_000 }]);
    await clock.advance(5_000);
    expect(recorded.map(({ ids }) => ids)).toEqual([['a']]);
  });

  test('are not tried again when the lease ends', async () => {
    store.fail('markPublished', 1);
    start().add([
      { ...published('a'), leasedUntilMs: clock.now() + 5_100 },
      { ...published('b'), leasedUntilMs: clock.now() + 5_101 },
    ]);
    await clock.advance(5_100);
    expect(recorded.map(({ ids }) => ids)).toEqual([['b']]);
  });

  test('of later publications are written after their own delay', async () => {
    const records = start();
    records.add([published('a')]);
    await clock.advance(6_000);
    records.add([published('b')]);
    await clock.advance(5_000);
    expect(recorded.map(({ ids, atMs }) => [ids, atMs])).toEqual([
      [['a'], 5_000],
      [['b'], 11_000],
    ]);
  });

  test('double the time until the next publication', async () => {
    start().add([published('a', 0), published('b', 2), published('c', 99)]);
    await clock.advance(5_000);
    expect(recorded.map(({ ids, dueMs }) => [ids, dueMs])).toEqual([
      [['a'], 60_000],
      [['b'], 240_000],
      [['c'], 86_400_000],
    ]);
  });

  test('are written in updates of a few thousand', async () => {
    const many = Array.from({ length: 12_000 }, (_, index) => published(String(index)));
    start().add([...many, ...many.map((one) => ({ ...one, state: 'cancelled' as const }))]);
    await clock.advance(5_000);
    expect(recorded.map(({ ids }) => ids.length)).toEqual([5_000, 5_000, 2_000]);
    expect(ended).toEqual([5_000, 5_000, 2_000]);
  });

  test('are retried while the store fails, together with newer ones', async () => {
    store.fail('markPublished', 3);
    const records = start();
    records.add([published('a')]);
    await clock.advance(5_150);
    records.add([published('b')]);
    await clock.advance(10_000);
    expect(errors).toEqual([1, 2, 3].map((attempt) => `${String(attempt)} markPublished fails`));
    expect(recorded.map(({ ids }) => ids)).toEqual([['a', 'b']]);
  });

  test('of one account that fails are dropped at the end of the lease, and cost the others nothing', async () => {
    const working = store.port.markPublished;
    store.port.markPublished = (keys, ...rest) =>
      keys.some(({ accountId }) => accountId === 'sick')
        ? Promise.reject(new Error('told so'))
        : working(keys, ...rest);
    const records = start();
    const of = (accountId: string, id: string) => ({ ...published(id), accountId });
    for (let second = 0; second < 60; second++) {
      records.add([of('sick', `sick ${String(second)}`), of('well', String(second))]);
      await clock.advance(1_000);
    }
    await clock.advance(60_000);
    expect(recorded.flatMap(({ ids }) => ids)).toEqual(
      Array.from({ length: 60 }, (_, second) => String(second)),
    );
    const failures = errors.length;
    await clock.advance(600_000);
    expect(errors).toHaveLength(failures);
    await records.stop();
  });

  test('are written once at the stop, or not at all', async () => {
    const records = start();
    records.add([published('a')]);
    await clock.settle();
    await records.stop();
    expect(recorded.map(({ ids, atMs }) => [ids, atMs])).toEqual([[['a'], 0]]);

    store.fail('markPublished', 1);
    const others = start();
    others.add([published('b')]);
    await clock.settle();
    await others.stop();
    expect(errors).toHaveLength(1);
    expect(recorded).toHaveLength(1);
  });
});
