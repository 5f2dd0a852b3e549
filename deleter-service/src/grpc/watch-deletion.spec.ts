import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { Deletion } from '../store/deletion.ts';
import type { DeletionKey, Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds, partsOf, removeAndRecord } from '../testing/deletions.ts';
import { failing, type Failing } from '../testing/failing.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createWatchDeletion, type WatchDeletion } from './watch-deletion.ts';

const newPath = temporaryFolder();

describe('watching deletions', () => {
  let store: Failing<Store>;
  let clock: VirtualClock;
  let polls: (readonly DeletionKey[])[];
  let receiptsRead: number;
  let watch: WatchDeletion;

  beforeEach(async () => {
    store = failing(openStore(newPath()));
    clock = createVirtualClock();
    await importJobs(store.port, acme, jobIds(10));
    polls = [];
    receiptsRead = 0;
    watch = createWatchDeletion({
      store: {
        ...store.port,
        findStates: (keys) => {
          polls.push(keys);
          return store.port.findStates(keys);
        },
        findReceipt: (...key) => {
          receiptsRead += 1;
          return store.port.findReceipt(...key);
        },
        findDeletion: () => Promise.reject(new Error('a watch does not read the jobs')),
      },
      clock,
      maxWatches: 10,
      maxWatchesPerCaller: 8,
    });
  });
  afterEach(() => store.port.close());

  const acceptMany = (count: number) =>
    Promise.all(jobIds(count).map((id) => accept(store.port, [id], { acceptedAtMs: 1 })));

  const follow = ({ id }: Deletion, signal = new AbortController().signal, caller = 'token:search') => {
    const states: string[] = [];
    const read = async () => {
      const request = { accountId: acme, deletionId: id, includeJobIds: false };
      for await (const { state } of watch(request, signal, caller)) states.push(String(state).slice(15));
    };
    return { states, ended: read().catch((error: unknown) => error) };
  };

  test('all watches share one poll', async () => {
    const deletions = await acceptMany(5);
    const watches = ['token:gateway', 'token:search'].flatMap((caller) =>
      deletions.map((deletion) => follow(deletion, undefined, caller)),
    );
    await clock.advance(1_000);
    expect(polls).toHaveLength(10);
    for (const keys of polls)
      expect(new Set(keys.map(({ deletionId }) => deletionId))).toEqual(
        new Set(deletions.map(({ id }) => id)),
      );
    expect(receiptsRead).toBe(10);
    await removeAndRecord(
      store.port,
      deletions.slice(0, 1).flatMap((deletion) => partsOf(deletion)),
      7,
    );
    await clock.advance(200);
    expect(polls.at(-1)).toHaveLength(8);
    expect(receiptsRead).toBe(12);
    await removeAndRecord(
      store.port,
      deletions.flatMap((deletion) => partsOf(deletion)),
      7,
    );
    await clock.advance(200);
    await Promise.all(watches.map(({ ended }) => ended));
    expect(watches.map(({ states }) => states)).toEqual(Array(10).fill(['ACCEPTED', 'COMPLETED']));
  });

  test('nothing is polled when nobody watches', async () => {
    const [deletion] = await acceptMany(1);
    if (deletion === undefined) throw new Error('no deletion');
    const leaving = new AbortController();
    const { ended } = follow(deletion, leaving.signal);
    await clock.advance(150);
    expect(polls).toHaveLength(1);
    leaving.abort();
    expect(await ended).toMatchObject({ code: status.UNAVAILABLE });
    await clock.advance(10_000);
    expect(polls).toHaveLength(1);
    const again = follow(deletion);
    await clock.advance(150);
    expect(polls).toHaveLength(2);
    await removeAndRecord(store.port, partsOf(deletion), 7);
    await clock.advance(100);
    expect(await again.ended).toBeUndefined();
  });

  test('the end of one watch does not end the others of the deletion', async () => {
    const [deletion] = await acceptMany(1);
    if (deletion === undefined) throw new Error('no deletion');
    const leaving = new AbortController();
    const left = follow(deletion, leaving.signal);
    const kept = follow(deletion);
    await clock.advance(150);
    leaving.abort();
    expect(await left.ended).toMatchObject({ code: status.UNAVAILABLE });
    await removeAndRecord(store.port, partsOf(deletion), 7);
    await clock.advance(100);
    expect(await kept.ended).toBeUndefined();
    expect(kept.states).toEqual(['ACCEPTED', 'COMPLETED']);
  });

  test('a poll that fails ends the watches, and the next watch polls again', async () => {
    const [deletion] = await acceptMany(1);
    if (deletion === undefined) throw new Error('no deletion');
    const watches = [follow(deletion), follow(deletion)];
    await clock.settle();
    store.fail('findStates', 1);
    await clock.advance(100);
    for (const { ended } of watches) expect(await ended).toMatchObject({ code: 'unavailable' });
    const again = follow(deletion);
    await removeAndRecord(store.port, partsOf(deletion), 7);
    await clock.advance(200);
    expect(await again.ended).toBeUndefined();
  });

  test('a deletion that expires while it is watched is not found', async () => {
    const [deletion] = await acceptMany(1);
    if (deletion === undefined) throw new Error('no deletion');
    const { ended } = follow(deletion);
    await clock.settle();
    await removeAndRecord(store.port, partsOf(deletion), 7);
    await store.port.expireReceipts(8, 1);
    await clock.advance(100);
    expect(await ended).toMatchObject({ code: status.NOT_FOUND });
  });

  test('the number of watches is limited, and an ended watch frees a place', async () => {
    const [deletion] = await acceptMany(1);
    if (deletion === undefined) throw new Error('no deletion');
    const leaving = new AbortController();
    const watches = Array.from({ length: 10 }, (_, index) =>
      follow(deletion, leaving.signal, `token:${String(index % 2)}`),
    );
    await clock.settle();
    const beyond = follow(deletion);
    expect(await beyond.ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(beyond.states).toEqual([]);
    leaving.abort();
    await Promise.all(watches.map(({ ended }) => ended));
    await removeAndRecord(store.port, partsOf(deletion), 7);
    expect(await follow(deletion).ended).toBeUndefined();
  });

  test('a caller with its number of watches takes no place of another caller', async () => {
    const [deletion] = await acceptMany(1);
    if (deletion === undefined) throw new Error('no deletion');
    const leaving = new AbortController();
    const watches = Array.from({ length: 8 }, () => follow(deletion, leaving.signal));
    await clock.settle();
    const beyond = await follow(deletion).ended;
    expect(beyond).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(String(beyond)).toContain('This caller already has 8 watches');
    const other = follow(deletion, leaving.signal, 'certificate:gateway');
    await clock.settle();
    expect(other.states).toEqual(['ACCEPTED']);
    leaving.abort();
    await Promise.all([...watches, other].map(({ ended }) => ended));
  });
});
