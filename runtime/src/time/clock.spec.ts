import { getEventListeners, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { systemClock, systemRandom, backoffMs, linkAbort, withTimeLimit } from './clock.ts';

describe('systemClock', () => {
  test('returns milliseconds since the epoch', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
  });

  test('sleeps at least the given time', async () => {
    const startMs = performance.now();
    await systemClock.sleep(20);
    // Timers count whole milliseconds.
    expect(performance.now() - startMs).toBeGreaterThan(18);
  });

  test('sleep resolves at once on an aborted signal', async () => {
    await systemClock.sleep(3_600_000, AbortSignal.abort(new Error('before')));
    const waking = new AbortController();
    const sleeping = systemClock.sleep(3_600_000, waking.signal);
    waking.abort(new Error('meanwhile'));
    await sleeping;
  });

  test('defer calls back after the microtasks that are ready', async () => {
    const order: string[] = [];
    const deferred = new Promise<void>((resolve) => {
      systemClock.defer(() => {
        order.push('deferred');
        resolve();
      });
    });
    await Promise.resolve();
    order.push('ready');
    await deferred;
    expect(order).toEqual(['ready', 'deferred']);
  });
});

describe('withTimeLimit', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  const virtual = createVirtualClock();
  describe.each([
    ['with the timers of the system', undefined, (ms: number) => jest.advanceTimersByTimeAsync(ms)],
    ['with another clock', virtual, (ms: number) => virtual.advance(ms)],
  ])('%s', (_, clock, advance) => {
    test('settles like a promise in time, and `onLate` is not called', async () => {
      let lateCalls = 0;
      const onLate = () => (lateCalls += 1);
      expect(await withTimeLimit(Promise.resolve('done'), 10, onLate, clock)).toBe('done');
      const failed = withTimeLimit(Promise.reject(new Error('failed')), 10, onLate, clock);
      await expect(failed).rejects.toThrow('failed');
      await advance(10);
      expect([lateCalls, jest.getTimerCount()]).toEqual([0, 0]);
    });

    test('settles like `onLate` after the time, and ignores the promise', async () => {
      let fail: (error: Error) => void = () => undefined;
      const hung = new Promise<string>((_resolve, reject) => (fail = reject));
      let outcome: unknown;
      void withTimeLimit(hung, 10, () => 'late', clock).then((value) => (outcome = value));
      await advance(9);
      expect(outcome).toBeUndefined();
      await advance(1);
      expect(outcome).toBe('late');
      fail(new Error('failed later'));
      await advance(1);
    });

    test('has no limit for `Infinity`', async () => {
      const value = withTimeLimit(Promise.resolve('done'), Infinity, () => 'late', clock);
      expect(jest.getTimerCount()).toBe(0);
      expect(await value).toBe('done');
    });
  });
});

describe('systemRandom', () => {
  test('returns unique ascending UUIDs and fractions from 0 to below 1', () => {
    const ids = Array.from({ length: 100 }, () => systemRandom.uuid());
    expect(new Set(ids).size).toBe(100);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const fractions = Array.from({ length: 100 }, () => systemRandom.fraction());
    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
  });
});

const fixed = (fraction: number) => ({ uuid: () => '', fraction: () => fraction });

describe('backoff', () => {
  test('is at most 100 ms, doubled at each failure, up to 30 s', () => {
    const ceilings = [1, 2, 3, 4, 9, 10, 11, 1_000_000].map((failures) => backoffMs(failures, fixed(1)));
    expect(ceilings).toEqual([100, 200, 400, 800, 25_600, 30_000, 30_000, 30_000]);
  });

  test('is at most maxMs', () => {
    expect([1, 5, 6, 100].map((failures) => backoffMs(failures, fixed(1), 2_000))).toEqual([
      100, 1_600, 2_000, 2_000,
    ]);
  });

  test('is a random fraction of the maximum', () => {
    expect(backoffMs(1, fixed(0))).toBe(0);
    expect(backoffMs(3, fixed(0.25))).toBe(100);
    expect(backoffMs(20, fixed(0.5))).toBe(15_000);
  });
});

test('the parent aborts the signal, also if it was aborted before', () => {
  const parent = new AbortController();
  const before = linkAbort(parent.signal);
  expect(before.signal.aborted).toBe(false);
  parent.abort();
  expect(before.signal.aborted).toBe(true);
  expect(linkAbort(parent.signal).signal.aborted).toBe(true);
});

test('`abort` aborts its own signal only, with or without a parent', () => {
  const parent = new AbortController();
  for (const linked of [linkAbort(parent.signal), linkAbort(undefined)]) {
    linked.abort();
    expect(linked.signal.aborted).toBe(true);
  }
  expect(parent.signal.aborted).toBe(false);
});

test('an unlinked signal leaves nothing on its parent, and is not aborted with it', () => {
  const parent = new AbortController();
  const linked = linkAbort(parent.signal);
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1);
  linked.unlink();
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
  parent.abort();
  expect(linked.signal.aborted).toBe(false);
});

test('the time aborts the signal, though garbage is collected before', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const parent = new AbortController();
  const linked = linkAbort(parent.signal, 20);
  collectGarbage();
  await once(linked.signal, 'abort');
  linked.unlink();
  expect(parent.signal.aborted).toBe(false);
});

test('an unlinked signal is not aborted by the time', async () => {
  const linked = linkAbort(undefined, 1);
  linked.unlink();
  await once(linkAbort(undefined, 20).signal, 'abort');
  expect(linked.signal.aborted).toBe(false);
});
