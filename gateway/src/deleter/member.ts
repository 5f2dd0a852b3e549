import type { Connection } from './connection.ts';
import type { QueuedCall } from './queued-call.ts';
import { watchHealth, type HealthWatch } from './watch-health.ts';
import { watchPace, type PaceWatch } from './watch-pace.ts';

/** One gRPC call in flight. */
export interface Batch {
  /** Increases with every batch of the pool. */
  readonly sequence: number;
  readonly isSmall: boolean;
  readonly jobs: number;
  readonly calls: readonly QueuedCall[];
  ageTicks: number;
  /** Time since another deleter answered a later batch. */
  overtakenTicks: number;
}

/** A connection of the pool, and the state of its deleter. */
export interface Member {
  readonly connection: Connection;
  readonly health: HealthWatch;
  readonly pace: PaceWatch;
  /** In the order of their sequence numbers. */
  readonly batches: Set<Batch>;
  /** The reads of deletions in flight. Each is aborted when the deleter becomes sick while another is well. */
  readonly reads: Set<AbortController>;
  /** The latest small batch with an answer other than faults. */
  answeredSequence: number;
  /** The latest batch that was sent. */
  pickedSequence: number;
}

export function createMember(connection: Connection): Member {
  return {
    connection,
    health: watchHealth((timeoutMs) => connection.askHealth(timeoutMs)),
    pace: watchPace((timeoutMs) => connection.tryRead(timeoutMs)),
    batches: new Set(),
    reads: new Set(),
    answeredSequence: 0,
    pickedSequence: 0,
  };
}

/** Requests go to the members of the lowest rank only. */
export const ranks = { well: 0, connecting: 1, suspect: 2, down: 3 } as const;

export function rankOf(member: Member): number {
  const link = member.connection.link();
  if (link === 'down') return ranks.down;
  if (troubleOf(member) !== undefined) return ranks.suspect;
  return link === 'ready' ? ranks.well : ranks.connecting;
}

/** Returns why the deleter is sick; undefined when it is well. */
export function troubleOf({ health, pace }: Member): string | undefined {
  const state = health.health();
  if (state.kind === 'not-serving') return state.reason;
  if (state.kind === 'silent') return 'it does not answer health checks within 1 s';
  return pace.trouble();
}

export function smallBatches({ batches }: Member): Batch[] {
  return [...batches].filter(({ isSmall }) => isSmall);
}

export function jobsInFlight({ batches }: Member): number {
  let jobs = 0;
  for (const batch of batches) jobs += batch.jobs;
  return jobs;
}
