import { describe, expect, test } from '@jest/globals';
import { createLoadShedder } from './load-shedder.ts';

const mebibyte = 1_048_576;
const options = { minConcurrent: 64, maxConcurrent: 1_024, maxBufferedBytes: 256 * mebibyte };

/** A world with a clock of its own: nothing in it depends on how busy the machine is. */
function createWorld(overrides: Partial<typeof options> = {}) {
  let nowMs = 0;
  const events: { readonly atMs: number; readonly act: () => void }[] = [];
  const at = (atMs: number, act: () => void) => {
    let index = events.length;
    while (index > 0 && (events[index - 1]?.atMs ?? 0) > atMs) index -= 1;
    events.splice(index, 0, { atMs, act });
  };
  const shedder = createLoadShedder({ ...options, ...overrides, now: () => nowMs });
  /** So many requests are worked on at a time, each for so long; the others wait for their turn. */
  const deleter = { slots: 32, ms: 20 };
  const queue: (() => void)[] = [];
  let busy = 0;
  const work = () => {
    while (busy < deleter.slots) {
      const next = queue.shift();
      if (next === undefined) return;
      busy += 1;
      next();
    }
  };
  const latencies: { readonly atMs: number; readonly ms: number }[] = [];
  let shed = 0;
  const arrive = (onLeft: () => void = () => undefined, factor = 1, bytes = 100) => {
    const admission = shedder.startAdmission();
    if (shedder.isFull() || !admission.hold(bytes) || !admission.enter()) {
      shed += 1;
      admission.leave();
      return;
    }
    const atMs = nowMs;
    queue.push(() =>
      at(nowMs + deleter.ms * factor, () => {
        latencies.push({ atMs, ms: nowMs - atMs });
        admission.served();
        admission.leave();
        busy -= 1;
        onLeft();
        work();
      }),
    );
    work();
  };
  return {
    shedder,
    deleter,
    at,
    arrive,
    now: () => nowMs,
    shed: () => shed,
    run: (untilMs: number) => {
      for (let event = events.shift(); event !== undefined; event = events.shift()) {
        if (event.atMs > untilMs) break;
        nowMs = event.atMs;
        event.act();
      }
    },
    /** `factor` times as many as the deleter can do, evenly. */
    load: (fromMs: number, untilMs: number, factor: number) => {
      const gapMs = deleter.ms / deleter.slots / factor;
      const arriveFrom = (atMs: number) =>
        at(atMs, () => {
          arrive();
          if (atMs + gapMs < untilMs) arriveFrom(atMs + gapMs);
        });
      arriveFrom(fromMs);
    },
    p99: (fromMs: number, untilMs: number) => {
      const sorted = latencies
        .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
        .map(({ ms }) => ms)
        .sort((a, b) => a - b);
      return { ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN, count: sorted.length };
    },
  };
}

describe('at five times what the deleter can do', () => {
  test.each([
    ['that does many at a time', { slots: 32, ms: 20 }, {}],
    ['that does very many', { slots: 200, ms: 100 }, {}],
    ['that does one', { slots: 1, ms: 5 }, { minConcurrent: 2 }],
    ['that does a few slowly', { slots: 4, ms: 100 }, { minConcurrent: 4 }],
  ])('%s, what is accepted takes at most three times as long, and as much is done', (_, deleter, least) => {
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
    expect(world.shed()).toBeGreaterThan(0);
    expect(world.shedder.state()).toMatchObject({ serving: 0, bufferedBytes: 0 });
  });

  test('a deleter that becomes slower is given less, and one that becomes faster more', () => {
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
  ['alike', () => 1],
  ['of every size', (call: number) => [1, 10, 100, 1_000][call % 4] ?? 1],
])('64 callers without a pause, %s, are never told to wait, however slow it is', (_, factorOf) => {
  const world = createWorld();
  Object.assign(world.deleter, { slots: 1, ms: 2 });
  let calls = 0;
  const call = () => {
    calls += 1;
    const factor = factorOf(calls);
    world.arrive(() => world.at(world.now(), call), factor, 100 * factor);
  };
  // A moment with little to do, so that it knows what is usual.
  for (let index = 0; index < 30; index++) world.at(index * 10, () => world.arrive());
  for (let caller = 0; caller < 64; caller++) world.at(1_000, call);
  world.run(100_000);
  expect(calls).toBeGreaterThan(100);
  expect(world.shed()).toBe(0);
});

test('with 0 any number is served', () => {
  const world = createWorld({ maxConcurrent: 0 });
  for (let index = 0; index < 5_000; index++) world.at(0, () => world.arrive());
  world.run(Infinity);
  expect(world.shed()).toBe(0);
});

test('bodies take up no more than they may, together, and what has left makes room', () => {
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

test('large requests leave small ones a quarter of the places', () => {
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

test('large bodies leave small ones a quarter of the buffer, and one alone may fill it', () => {
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
