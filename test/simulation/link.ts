import { Fault } from '@jobs-delete/runtime/fault';
import type { Process, World } from './world.ts';

/**
 * - `down`: calls fail at once, and have no effect
 * - `hung`: nothing comes back; calls take effect at once, later, or never
 * - `slow`: answers take seconds
 * - `lossy`: some calls take effect, and their answers are lost
 */
export const troubles = ['hung', 'down', 'lossy', 'slow'] as const;
export type Trouble = (typeof troubles)[number];

/** The current troubles of one server, by process and by part. A part is the data of an account, or a partition. */
export class Troubles {
  readonly #ofProcess = new Map<string, Trouble>();
  readonly #ofPart = new Map<string, Trouble>();
  #waiting: (() => void)[] = [];

  /** Returns the worst trouble of a call. */
  find(process: string, parts: readonly string[]): Trouble | undefined {
    if (this.#ofProcess.size === 0 && this.#ofPart.size === 0) return undefined;
    const found = [this.#ofProcess.get(process), ...parts.map((part) => this.#ofPart.get(part))];
    return troubles.find((one) => found.includes(one));
  }

  /** Returns whether calls of the process to the part are answered at all. */
  isReached(process: string, part: string): boolean {
    const trouble = this.find(process, [part]);
    return trouble !== 'down' && trouble !== 'hung';
  }

  start(trouble: Trouble, at: { readonly process?: string; readonly part?: string }): void {
    if (at.process !== undefined) this.#ofProcess.set(at.process, trouble);
    if (at.part !== undefined) this.#ofPart.set(at.part, trouble);
  }

  end(at: { readonly process?: string; readonly part?: string }): void {
    if (at.process !== undefined) this.#ofProcess.delete(at.process);
    if (at.part !== undefined) this.#ofPart.delete(at.part);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  endAll(): void {
    this.#ofProcess.clear();
    this.#ofPart.clear();
    this.end({});
  }

  /** Resolves when the call meets no hanging part any more. */
  async healed(process: string, parts: readonly string[]): Promise<void> {
    do
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    while (this.find(process, parts) === 'hung');
  }
}

/** The time of a slow call. */
export const slowestMs = 4_000;

/** A driver gives up a call after this time. The server may still carry it out. */
const timeoutMs = 30_000;

/** The connection of one process to the database or to the event log. */
export class Link {
  readonly #process: Process;
  readonly #world: World;
  readonly #troubles: Troubles;

  constructor(process: Process, troubles: Troubles) {
    this.#process = process;
    this.#world = process.world;
    this.#troubles = troubles;
  }

  nowMs(): number {
    return this.#world.nowMs;
  }

  /** Lets a callback run in the process a moment later. */
  deliver(callback: () => void): void {
    this.#world.after(this.#world.between(0, this.#world.latencyMs), () => this.#process.deliver(callback));
  }

  pause(): Promise<void> {
    return this.#world.sleep(this.#world.between(0, this.#world.latencyMs));
  }

  /** Waits between two steps of a call at the server. A slow or hung server may hold the second one. */
  async step(part: string): Promise<void> {
    const world = this.#world;
    const trouble = this.#troubles.find(this.#process.name, [part]);
    if (!(trouble === 'slow' || trouble === 'hung') || world.chance(50)) return;
    world.lateSteps += 1;
    if (trouble === 'hung') await this.#troubles.healed(this.#process.name, [part]);
    await world.sleep(world.between(0, slowestMs));
    world.lateSteps -= 1;
  }

  /** Carries a call out at the server, and its answer back. @param parts what the call needs */
  call<Result>(parts: readonly string[], serve: () => Promise<Result>): Promise<Result> {
    return this.#process.receive(this.#carryOut(parts, serve));
  }

  /** Leaves out the parts that are out of reach. Rejects if there are no others. */
  callWhereItWorks<Result>(
    parts: ReadonlySet<string>,
    serve: (reached: ReadonlySet<string>) => Promise<Result>,
  ): Promise<Result> {
    const reached = new Set([...parts].filter((part) => this.#troubles.isReached('', part)));
    return this.call([...reached], () => {
      if (parts.size > 0 && reached.size === 0) throw new Fault('unavailable', 'no part answers');
      return serve(reached);
    });
  }

  async #carryOut<Result>(parts: readonly string[], serve: () => Promise<Result>): Promise<Result> {
    const world = this.#world;
    await this.pause();
    switch (this.#troubles.find(this.#process.name, parts)) {
      case undefined:
        break;
      case 'down':
        throw new Fault('unavailable', 'no connection');
      case 'slow':
        await world.sleep(world.between(300, slowestMs));
        break;
      case 'lossy':
        if (world.chance(50)) break;
        if (world.chance(70)) await serve();
        throw new Fault('unknown-outcome', 'the answer is lost');
      case 'hung':
        return this.#hang(parts, serve);
    }
    const result = await serve();
    await this.pause();
    return result;
  }

  async #hang<Result>(parts: readonly string[], serve: () => Promise<Result>): Promise<Result> {
    const fate = this.#world.pick(['now', 'never', 'later'] as const);
    if (fate === 'now') serve().catch(() => undefined);
    const late = this.#world.sleep(timeoutMs).then(() => {
      throw new Fault('unknown-outcome', 'no answer in time');
    });
    // A call that waits at the server takes effect after its time-out too.
    const healed = this.#troubles.healed(this.#process.name, parts).then(() => {
      if (fate === 'later') return serve();
      throw new Fault('unknown-outcome', 'the connection was lost');
    });
    return Promise.race([late, healed]);
  }
}
