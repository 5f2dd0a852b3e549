import { createSeededRandom, type SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import type { Clock } from '@jobs-delete/runtime/time/clock';

/** Resolves when every promise that is ready has run. Called from a promise, Node runs the callbacks of `nextTick` after them. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });

/** The result of a callback that has settled no promise. */
export const nothing = Symbol('nothing');

interface Timer {
  readonly atMs: number;
  readonly number: number;
  readonly run: () => unknown;
}

/** Draws that a seed decides. */
export class Draws {
  readonly random: SeededRandom;

  constructor(seed: number) {
    this.random = createSeededRandom(seed);
  }

  /** Returns a whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.random.below(most - least + 1);
  }

  chance(percent: number): boolean {
    return this.random.below(100) < percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.random.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

/** The time and the chance of a simulation. One timer runs at a time, so a seed always gives the same history. */
export class World extends Draws {
  readonly startMs = Date.UTC(2026, 0, 1);
  nowMs = this.startMs;
  /** The longest time of one way to the database or the event log. */
  latencyMs = 2;
  /** The most events of one batch of a worker. */
  maxBatch = 20;
  /** The most jobs of an event. */
  maxEventJobs = 1_000;
  /** The calls that a server has begun and not ended. */
  lateSteps = 0;
  /** The number of timers that have run. */
  steps = 0;
  /** A heap: no timer is before its parent. */
  readonly #timers: Timer[] = [];
  #number = 0;

  /** @param run returns `nothing` if it has settled no promise: then no turn follows, which takes less time */
  after(ms: number, run: () => unknown): void {
    const timers = this.#timers;
    const timer = { atMs: this.nowMs + ms, number: ++this.#number, run };
    let index = timers.push(timer) - 1;
    for (let parent = (index - 1) >> 1; index > 0; index = parent, parent = (index - 1) >> 1) {
      const above = timers[parent];
      if (above === undefined || isBefore(above, timer)) break;
      timers[index] = above;
      timers[parent] = timer;
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Runs the timers in their order until the condition holds, none is left, or the time is over. */
  async run(ms: number, isDone: () => boolean = () => false): Promise<void> {
    const endMs = this.nowMs + ms;
    await turn();
    while (!isDone()) {
      const next = this.#timers[0];
      if (next === undefined || next.atMs > endMs) {
        this.nowMs = endMs;
        return;
      }
      this.#removeFirst();
      this.nowMs = next.atMs;
      this.steps += 1;
      if (next.run() !== nothing) await turn();
    }
  }

  #removeFirst(): void {
    const timers = this.#timers;
    const last = timers.pop();
    if (last === undefined || timers.length === 0) return;
    let index = 0;
    for (;;) {
      const left = timers[2 * index + 1];
      const right = timers[2 * index + 2];
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (child === undefined || isBefore(last, child)) break;
      timers[index] = child;
      index = 2 * index + (child === left ? 1 : 2);
    }
    timers[index] = last;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.number < other.number);
}

/** One process. Timers and answers from outside reach it by `deliver`, so it can be frozen or killed at each await of them. */
export class Process {
  readonly name: string;
  readonly world: World;
  readonly clock: Clock;
  state: 'running' | 'frozen' | 'dead' = 'running';
  /** How far its clock is ahead of the world. */
  skewMs = 0;
  #waiting: (() => unknown)[] = [];

  constructor(name: string, world: World) {
    this.name = name;
    this.world = world;
    this.clock = {
      now: () => world.nowMs + this.skewMs,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted === true) {
            resolve();
            return;
          }
          let isOver = false;
          const end = () => {
            isOver = true;
            resolve();
          };
          const wake = () => {
            if (isOver) return nothing;
            signal?.removeEventListener('abort', end);
            end();
            return undefined;
          };
          signal?.addEventListener('abort', end);
          world.after(Math.max(0, ms), () => this.deliver(wake));
        }),
      defer: (callback) => world.after(0, () => this.deliver(callback)),
    };
  }

  /** Runs the callback now, when a frozen process goes on, or never in a dead one. */
  deliver(callback: () => unknown): unknown {
    if (this.state === 'running') return callback();
    if (this.state === 'frozen') this.#waiting.push(callback);
    return nothing;
  }

  /** Resolves in this process with what happens outside of it. */
  receive<Result>(outside: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      outside.then(
        (result) => this.deliver(() => resolve(result)),
        (error: unknown) =>
          this.deliver(() => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    });
  }

  freeze(): void {
    if (this.state === 'running') this.state = 'frozen';
  }

  /** Runs the waiting callbacks one after the other: the promises that one resolves run before the next. */
  goOn(): void {
    if (this.state !== 'frozen') return;
    this.state = 'running';
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) this.world.after(0, () => this.deliver(callback));
  }

  kill(): void {
    this.state = 'dead';
    this.#waiting = [];
  }
}
