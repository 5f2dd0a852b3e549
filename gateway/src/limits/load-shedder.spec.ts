import { describe, expect, test } from '@jest/globals';
import { createWorld } from './testing/simulated-load.ts';

describe('at five times the throughput of the deleter', () => {
  test.each([
    ['with many slots', { slots: 32, ms: 20 }, {}],
    ['with very many slots', { slots: 200, ms: 100 }, {}],
    ['with one slot', { slots: 1, ms: 5 }, { minConcurrent: 2 }],
    ['with a few slow slots', { slots: 4, ms: 100 }, { minConcurrent: 4 }],
  ])('%s, accepted requests take at most three times as long and throughput stays', (_, deleter, least) => {
    const world = createWorld(least);
    Object.assign(world.deleter, deleter);
    world.load(0, 4_000, 0.3);
    world.load(4_000, 12_000, 5);
    world.run(Infinity);
    const unloaded = world.p99(0, 4_000);
    const loaded = world.p99(4_000, 12_000);
    expect(unloaded.ms).toBeCloseTo(deleter.ms);
    expect(loaded.ms / unloaded.ms).toBeLessThanOrEqual(3);
    expect(loaded.count).toBeGreaterThan((0.9 * deleter.slots * 8_000) / deleter.ms);
    expect(world.refused()).toBeGreaterThan(0);
    expect(world.shedder.state()).toMatchObject({ serving: 0, bufferedBytes: 0 });
  });

  test('the limit shrinks for a slower deleter and grows for a faster one', () => {
    const world = createWorld({ minConcurrent: 8 });
    world.load(0, 2_000, 0.1);
    world.load(2_000, 20_000, 5);
    const limits: number[] = [];
    const slow = () => (world.deleter.slots = 8);
    const fast = () => (world.deleter.slots = 64);
    world.at(8_000, slow);
    world.at(14_000, fast);
    for (const atMs of [7_999, 13_999, 19_999])
      world.at(atMs, () => limits.push(world.shedder.state().limit));
    world.run(Infinity);
    const [before = 0, slower = 0, faster = 0] = limits;
    expect(slower).toBeLessThan(before / 2);
    expect(faster).toBeGreaterThan(before * 1.5);
    for (const [from, until] of [
      [3_000, 8_000],
      [9_000, 14_000],
      [15_000, 20_000],
    ] as const)
      expect(world.p99(from, until).ms).toBeLessThanOrEqual(60);
  });
});

test.each([
  ['of one size', () => 1],
  ['of every size', (call: number) => [1, 10, 100, 1_000][call % 4] ?? 1],
])('64 callers without a pause, with requests %s, are never refused', (_, factorOf) => {
  const world = createWorld();
  Object.assign(world.deleter, { slots: 1, ms: 2 });
  let calls = 0;
  const call = () => {
    calls += 1;
    const factor = factorOf(calls);
    world.arrive(() => world.at(world.now(), call), factor, 100 * factor);
  };
  // A moment with few requests, to learn the usual latency.
  for (let index = 0; index < 30; index++) world.at(index * 10, () => world.arrive());
  for (let caller = 0; caller < 64; caller++) world.at(1_000, call);
  world.run(100_000);
  expect(calls).toBeGreaterThan(100);
  expect(world.refused()).toBe(0);
});

test('a maximum of 0 allows any number of requests', () => {
  const world = createWorld({ maxConcurrent: 0 });
  for (let index = 0; index < 5_000; index++) world.at(0, () => world.arrive());
  world.run(Infinity);
  expect(world.refused()).toBe(0);
});

test('all bodies share the memory limit, and a request that leaves frees its part', () => {
  const { shedder } = createWorld({ maxBufferedBytes: 1_000 });
  const admissions = [shedder.startAdmission(), shedder.startAdmission()] as const;
  expect([admissions[0].hold(600), admissions[1].hold(400), admissions[1].hold(1)]).toEqual([
    true,
    true,
    false,
  ]);
  admissions[0].leave();
  expect([admissions[1].hold(600), admissions[1].hold(1)]).toEqual([true, false]);
  admissions[1].leave();
  expect(shedder.state().bufferedBytes).toBe(0);
});

test('large requests leave a quarter of the limit to small ones', () => {
  const { shedder } = createWorld({ minConcurrent: 8, maxConcurrent: 8 });
  const enter = (bytes: number) => {
    const admission = shedder.startAdmission();
    return { entered: admission.hold(bytes) && admission.enter(), admission };
  };
  const large = Array.from({ length: 7 }, () => enter(100_000));
  expect(large.map(({ entered }) => entered)).toEqual([true, true, true, true, true, true, false]);
  expect([shedder.isFull(100_000), shedder.isFull(100)]).toEqual([true, false]);
  expect([enter(100), enter(100), enter(100)].map(({ entered }) => entered)).toEqual([true, true, false]);
  for (const { admission } of large) admission.leave();
  expect(enter(100_000).entered).toBe(true);
});

test('large bodies leave a quarter of the memory to small ones, and one alone may use all', () => {
  const { shedder } = createWorld({ maxBufferedBytes: 1_000_000 });
  const first = shedder.startAdmission();
  expect(first.hold(1_000_000)).toBe(true);
  first.leave();
  const second = shedder.startAdmission();
  expect(second.hold(700_000)).toBe(true);
  expect(shedder.startAdmission().hold(100_000)).toBe(false);
  expect(shedder.startAdmission().hold(60_000)).toBe(true);
  second.leave();
});
