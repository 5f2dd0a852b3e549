import type { HealthAnswer } from '@jobs-delete/proto/client-channel';
import type { Connection } from './connection.ts';
import type { Attempt } from './pending-request.ts';
import { hashOf } from './pick-replica.ts';

/** The pool counts ticks, not time: a pause of the gateway's own process counts as one tick. */
export const tickMs = 100;

/** An answer that takes this long is late: 1 s. */
export const patienceTicks = 10;

const healthTimeoutMs = 10_000;
const healthRestTicks = 2;
const readTimeoutMs = 10_000;
const readRestTicks = 5;
/** Successful reads in a row, each within 1 s. */
const readsToRecover = 3;

/** Requests go to the replicas of the lowest rank only. */
export const ranks = { well: 0, connecting: 1, sick: 2, down: 3 } as const;

/** One replica of the deleter service, as this gateway sees it. */
export interface Replica {
  readonly connection: Connection;
  /** The hash of its address. */
  readonly hash: number;
  /** The unanswered attempts of small requests, the oldest first. */
  readonly small: Set<Attempt>;
  readonly large: Set<Attempt>;
  /** Reads, lists and cancellations in flight. Each is aborted when this replica is not well and another is. */
  readonly reads: Set<AbortController>;
  /** The unanswered requests and their jobs. */
  load: number;
  /** The number of answers it has given; faults do not count. */
  answers: number;
  /** The comparison with another replica that runs now. */
  comparison: Comparison | undefined;
  /** By account: the tick until which its late requests start no comparison, because another replica was late or failed too. */
  readonly excused: Map<string, number>;
  /** The rank when the pool measured it last, at most a tick ago. */
  rank: number;
  /** Sends health checks and reads when they are due. Called every `tickMs`. */
  tick(): void;
  measureRank(): number;
  /** Returns why the replica is sick; undefined when it is well. */
  trouble(): string | undefined;
  /** Returns whether it has not answered a health check for 1 s. */
  isSilent(): boolean;
  isBlamed(): boolean;
  /** Calls the replica sick until three reads in a row are answered in time. */
  blame(reason: string): void;
}

/** A second attempt of a late request. */
export interface Comparison {
  readonly first: Attempt;
  readonly second: Attempt;
  /** The tick at which the second attempt was answered. */
  answeredTick?: number;
}

export function createReplica(connection: Connection): Replica {
  const health = watchHealth((timeoutMs) => connection.askHealth(timeoutMs));
  const recovery = watchRecovery((timeoutMs) => connection.tryRead(timeoutMs));
  const trouble = () => health.trouble() ?? recovery.trouble();
  return {
    connection,
    hash: hashOf(connection.address),
    small: new Set(),
    large: new Set(),
    reads: new Set(),
    load: 0,
    answers: 0,
    comparison: undefined,
    excused: new Map(),
    rank: ranks.connecting,
    tick: () => {
      if (connection.link() === 'ready') health.tick();
      recovery.tick();
    },
    measureRank: () => {
      const link = connection.link();
      if (link === 'down') return ranks.down;
      if (trouble() !== undefined) return ranks.sick;
      return link === 'ready' ? ranks.well : ranks.connecting;
    },
    trouble,
    isSilent: health.isSilent,
    isBlamed: () => recovery.trouble() !== undefined,
    blame: recovery.blame,
  };
}

/** Sends a health check every 300 ms, one at a time. Before the first answer, the replica counts as serving. */
function watchHealth(ask: (timeoutMs: number) => Promise<HealthAnswer>) {
  let trouble: string | undefined;
  let isSilent = false;
  /** Time since the health check in flight; undefined when there is none. */
  let waitedTicks: number | undefined;
  let restedTicks = healthRestTicks;

  const check = async () => {
    waitedTicks = 0;
    const answer = await ask(healthTimeoutMs);
    const isLate = waitedTicks >= patienceTicks;
    waitedTicks = undefined;
    restedTicks = isLate ? healthRestTicks : 0;
    if (isLate || answer.kind === 'no-answer') return;
    isSilent = false;
    trouble = answer.kind === 'serving' ? undefined : answer.reason;
  };

  return {
    tick: () => {
      if (waitedTicks === undefined) {
        if (restedTicks++ >= healthRestTicks) void check();
        return;
      }
      waitedTicks += 1;
      if (waitedTicks >= patienceTicks) isSilent = true;
    },
    isSilent: () => isSilent,
    trouble: () => (isSilent ? 'it does not answer health checks within 1 s' : trouble),
  };
}

/** Reads from a blamed replica every 600 ms until it has recovered. */
function watchRecovery(tryRead: (timeoutMs: number) => Promise<boolean>) {
  let trouble: string | undefined;
  let goodReads = 0;
  let waitedTicks: number | undefined;
  let restedTicks = 0;

  const read = async () => {
    waitedTicks = 0;
    const isAnswered = await tryRead(readTimeoutMs);
    goodReads = isAnswered && waitedTicks < patienceTicks ? goodReads + 1 : 0;
    waitedTicks = undefined;
    restedTicks = 0;
    if (goodReads >= readsToRecover) trouble = undefined;
  };

  return {
    tick: () => {
      if (waitedTicks !== undefined) waitedTicks += 1;
      else if (trouble !== undefined && restedTicks++ >= readRestTicks) void read();
    },
    blame: (reason: string) => {
      trouble = reason;
      goodReads = 0;
    },
    trouble: () => trouble,
  };
}
