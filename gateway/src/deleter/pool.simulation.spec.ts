import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HealthAnswer } from '@jobs-delete/proto/client-channel';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { OnOutcome } from './answer.ts';
import type { Connection } from './connection.ts';
import { Pool } from './pool.ts';
import { tickMs } from './replica.ts';

const replicaCount = 100;
const gatewayCount = 30;
const accountCount = 1_000;
/** Requests in flight of a gateway at full load. */
const callersPerGateway = 128;

const answer = { kind: 'accepted', deletionId: 'd', replayed: false, language: 'en' } as const;
const unused = () => Promise.reject(new Error('the simulation reads no deletions'));

/** Accepts groups like the store: one is in flight, and the next one takes what has arrived meanwhile. */
class SimulatedReplica {
  readonly groups: number[] = [];
  answered = 0;
  isHung = false;
  #waiting: OnOutcome[] = [];
  #group: OnOutcome[] = [];
  #groupEndsAtMs = 0;

  get unanswered(): number {
    return this.#waiting.length + this.#group.length;
  }

  accept(onOutcome: OnOutcome): void {
    this.#waiting.push(onOutcome);
  }

  /** A group takes 40 ms, and 0.1 ms for each request. */
  advance(nowMs: number): void {
    if (this.isHung || nowMs < this.#groupEndsAtMs) return;
    const done = this.#group;
    this.#group = this.#waiting;
    this.#waiting = [];
    this.#groupEndsAtMs = nowMs + 40 + this.#group.length / 10;
    if (this.#group.length > 0) this.groups.push(this.#group.length);
    this.answered += done.length;
    for (const onOutcome of done) onOutcome(answer);
  }
}

/** A random number generator with a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function connectionTo(address: string, replica: SimulatedReplica): Connection {
  return {
    address,
    link: () => 'ready',
    deleteJobs: (_request, _deadlineMs, onOutcome) => replica.accept(onOutcome),
    // Only its requests hang: health checks do not show it.
    askHealth: () => Promise.resolve<HealthAnswer>({ kind: 'serving' }),
    tryRead: () => Promise.resolve(!replica.isHung),
    getDeletion: unused,
    listJobs: unused,
    cancelDeletion: unused,
    watchDeletion: unused,
    close: () => undefined,
  };
}

/** Gateways whose callers send a request each, and the next one when it is answered. */
class Simulation {
  readonly replicas = Array.from({ length: replicaCount }, () => new SimulatedReplica());
  readonly #pools: Pool[];
  readonly #random = createRandom(1);
  /** Callers that send in the next millisecond. */
  #free: Pool[] = [];
  #nowMs = 0;
  answers = 0;

  constructor() {
    const byAddress = new Map(
      this.replicas.map((replica, index) => [`10.0.0.${String(index)}:50051`, replica]),
    );
    this.#pools = Array.from({ length: gatewayCount }, () => {
      const pool = new Pool((address) => connectionTo(address, byAddress.get(address) as SimulatedReplica));
      pool.setAddresses([...byAddress.keys()]);
      return pool;
    });
    this.#free = this.#pools.flatMap((pool) => Array.from({ length: callersPerGateway }, () => pool));
  }

  async run(ms: number): Promise<void> {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs; this.#nowMs++) {
      if (this.#nowMs % tickMs === 0) {
        for (const pool of this.#pools) pool.tick();
        await turn();
      }
      const free = this.#free;
      this.#free = [];
      for (const pool of free) this.#send(pool);
      for (const replica of this.replicas) replica.advance(this.#nowMs);
    }
  }

  /** Returns how many of the gateways call the replica sick. */
  sickFor(index: number): number {
    return this.#pools.filter((pool) => pool.replicas()[index]?.trouble() !== undefined).length;
  }

  #send(pool: Pool): void {
    // Half of the requests are those of a tenth of the accounts.
    const share = this.#random() < 0.5 ? 0.1 : 1;
    const accountId = `account ${String(Math.floor(this.#random() * share * accountCount))}`;
    const request: DeleteJobsRequest = { accountId, jobIds: ['JOB1'], deletionId: 'd' };
    pool.send(request, Infinity, () => {
      this.answers += 1;
      this.#free.push(pool);
    });
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('100 replicas, 30 gateways and 1,000 accounts at full load', () => {
  const simulation = new Simulation();
  const { replicas } = simulation;
  const others = replicas.slice(1);
  const first = replicas[0] as SimulatedReplica;
  /** Answers of each replica while the simulation runs for this long. */
  const answersDuring = async (ms: number): Promise<number[]> => {
    const before = replicas.map(({ answered }) => answered);
    await simulation.run(ms);
    return replicas.map(({ answered }, index) => answered - (before[index] ?? 0));
  };
  beforeAll(() => simulation.run(300));

  test('every replica gets its share, in groups of at least 16', async () => {
    for (const { groups } of replicas) groups.length = 0;
    const answers = await answersDuring(500);
    const groups = replicas.flatMap((replica) => replica.groups);
    expect(Math.max(...answers) / mean(answers)).toBeLessThan(2.2);
    expect(Math.min(...answers) / mean(answers)).toBeGreaterThan(0.2);
    expect(mean(groups)).toBeGreaterThan(16);
  });

  test('a replica that hangs is sick for all within 2 s, without a herd on another', async () => {
    first.isHung = true;
    await simulation.run(2_000);
    expect(simulation.sickFor(0)).toBe(gatewayCount);
    for (let index = 1; index < replicaCount; index++) expect(simulation.sickFor(index)).toBe(0);
    const answers = (await answersDuring(500)).slice(1);
    expect(Math.max(...answers) / mean(answers)).toBeLessThan(2.2);
    expect(Math.max(...others.map(({ unanswered }) => unanswered))).toBeLessThan(3 * callersPerGateway);
  });

  test('when it returns it gets its share again, without a herd on it', async () => {
    first.isHung = false;
    let most = 0;
    for (let step = 0; step < 25; step++) {
      await simulation.run(100);
      most = Math.max(most, first.unanswered);
    }
    expect(simulation.sickFor(0)).toBe(0);
    const answers = await answersDuring(500);
    expect(answers[0]).toBeGreaterThan(0.3 * mean(answers));
    expect(most).toBeLessThan((4 * gatewayCount * callersPerGateway) / replicaCount);
  });
});
