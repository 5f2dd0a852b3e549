import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { partitionCount, partitionName } from './memory-log.ts';
import { troubles, type Trouble } from './link.ts';
import { Draws } from './world.ts';

/**
 * - `any`: any trouble anywhere. Only the guarantees and the end are checked
 * - `contest`: the same, while many requests and cancellations compete for few jobs and limits; apis that wait for the database get lost
 * - `removal`: database and log have troubles at the same time, while jobs are removed. The same is checked
 * - `account`: trouble with the data of one account; the others must not notice
 * - `api`: trouble with one of several apis; callers must not notice for longer than a moment
 * - `flood`: one account sends more than the service takes; the others must not notice
 */
export type Kind = 'any' | 'contest' | 'removal' | 'account' | 'api' | 'flood';

export interface Plan {
  readonly seed: number;
  readonly kind: Kind;
  readonly gateways: number;
  readonly apis: number;
  readonly workers: number;
  /** A larger deletion has several parts. */
  readonly maxEventJobs: number;
  readonly accounts: readonly AccountPlan[];
  /** In the order of their times. */
  readonly actions: readonly Action[];
}

export interface AccountPlan {
  readonly id: string;
  readonly jobs: number;
  readonly delayMs: number;
  /** The most jobs that it may delete. */
  readonly limit: number | undefined;
  /** Its requests may fail or be slow, because the trouble is its own. */
  readonly suffers: boolean;
}

export type Action = { readonly atMs: number } & (
  | DeleteAction
  | { readonly kind: 'cancel' | 'read'; readonly account: number }
  | { readonly kind: 'post'; readonly account: number; readonly from: number; readonly count: number }
  | { readonly kind: 'fault'; readonly forMs: number; readonly fault: FaultPlan }
);

export interface DeleteAction {
  readonly kind: 'delete';
  /** Undefined for an internal caller, who asks an api without a gateway. */
  readonly gateway: number | undefined;
  readonly account: number;
  readonly from: number;
  readonly count: number;
  readonly key: string | undefined;
}

export type FaultPlan =
  | { readonly kind: 'kill' | 'freeze'; readonly process: string }
  | { readonly kind: 'cut' | 'stall'; readonly api: string; readonly gateway?: string }
  | {
      readonly kind: 'database';
      readonly trouble: Trouble;
      readonly process?: string;
      readonly part?: string;
    }
  | { readonly kind: 'log'; readonly trouble: Trouble; readonly process?: string; readonly part?: string }
  | { readonly kind: 'failover' | 'rebalance' | 'replay' | 'poison' }
  | { readonly kind: 'clock'; readonly process: string; readonly byMs: number };

/** The time in which callers ask and faults begin. */
const busyMs = 12_000;
/** All faults end then. Those of an account last longer than the service is patient. */
export const healAtMs = {
  any: busyMs,
  contest: busyMs,
  removal: 20_000,
  account: 30_000,
  api: busyMs,
  flood: busyMs,
};

const largeCluster = { gateways: 5, apis: 30, workers: 10, accounts: 100, deletions: 400 };
const hugeCluster = { gateways: 30, apis: 100, workers: 100, accounts: 1_000, deletions: 4_000 };

/** Draws a plan from a seed. @param isHugeCluster plans a hundred apis and workers, which takes a hundred times as long */
export function drawPlan(seed: number, isHugeCluster = false): Plan {
  const draws = new Draws(seed);
  const { random } = draws;

  const kind = draws.pick<Kind>(['any', 'contest', 'removal', 'account', 'api', 'flood']);
  const isLargeCluster = draws.chance(1);
  const large = isHugeCluster ? hugeCluster : isLargeCluster ? largeCluster : undefined;
  // A refusal may wait for a hung attempt. So the requests that must not notice the trouble never share jobs.
  const mayOverlap = kind === 'any' || kind === 'contest' || kind === 'removal';
  const apis = large?.apis ?? (mayOverlap ? draws.between(1, 3) : 3);
  const workers = large?.workers ?? draws.between(1, 3);
  const gateways = large?.gateways ?? draws.between(1, 2);
  const accountCount = large?.accounts ?? (kind === 'contest' ? draws.between(1, 3) : draws.between(2, 6));
  const accounts = Array.from({ length: accountCount }, (_, index): AccountPlan => {
    const isFirst = index === 0;
    const isHuge = kind === 'any' && isFirst && draws.chance(5);
    const few = kind === 'contest' ? draws.between(3, 8) : draws.pick([12, 20, 250]);
    const jobs = isHuge ? draws.between(1_001, 2_100) : mayOverlap ? few : 0;
    const isDelayed = mayOverlap && draws.chance(kind === 'contest' ? 70 : 30);
    const delayMs = isDelayed ? draws.between(1, 15) * 1_000 : 0;
    const limit = kind === 'contest' && draws.chance(50) ? draws.between(3, 12) : undefined;
    const suffers = mayOverlap || (kind !== 'api' && isFirst);
    return { id: `a${String(index)}`, jobs, delayMs, limit, suffers };
  });
  const isWhole = !mayOverlap || (accounts[0]?.jobs ?? 0) > 1_000;
  const maxEventJobs = isWhole ? 1_000 : draws.pick([2, 3, 100]);
  const used = accounts.map(() => 0);
  const actions: Action[] = [];

  const internal = kind === 'contest' ? 25 : 10;
  const drawDeletion = (account: number): DeleteAction => {
    const { jobs, suffers } = accounts[account] as AccountPlan;
    const isLarge = kind === 'flood' && suffers ? draws.chance(20) : draws.chance(4);
    const wanted = isLarge ? draws.between(200, 240) : draws.between(1, 5);
    const count = jobs > 1_000 && draws.chance(50) ? jobs : mayOverlap ? Math.min(wanted, jobs) : wanted;
    const from = mayOverlap ? random.below(jobs - count + 1) : (used[account] ?? 0);
    used[account] = from + count;
    const key = draws.chance(50)
      ? `key-${String(mayOverlap ? random.below(20) : actions.length)}`
      : undefined;
    const gateway = mayOverlap && draws.chance(internal) ? undefined : random.below(gateways);
    return { kind: 'delete', gateway, account, from, count, key };
  };
  const add = (
    atMs: number,
    action: Action extends infer One ? (One extends Action ? Omit<One, 'atMs'> : never) : never,
  ) => actions.push({ atMs, ...action });

  // Half of the requests come together with others, and share groups with them.
  const bursts = Array.from({ length: 6 }, () => random.below(busyMs));
  const drawTime = () => (draws.chance(50) ? draws.pick(bursts) + random.below(4) : random.below(busyMs));
  const deletions = large?.deletions ?? draws.between(15, 60);
  for (let index = 0; index < deletions; index++) add(drawTime(), drawDeletion(random.below(accountCount)));
  if (mayOverlap)
    for (let index = draws.between(0, kind === 'contest' ? 40 : 8); index > 0; index--) {
      const account = random.below(accountCount);
      if (draws.chance(50)) add(drawTime(), { kind: 'cancel', account });
      else add(drawTime(), { kind: 'post', account, from: random.below(10), count: draws.between(1, 8) });
    }
  if (kind === 'flood') {
    const atMs = draws.between(500, 3_000);
    const forMs = draws.pick([300, 1_500]);
    for (let index = draws.between(60, 120); index > 0; index--)
      add(atMs + random.below(forMs), drawDeletion(0));
  }

  const api = () => `api-${String(random.below(apis))}`;
  const worker = () => `worker-${String(random.below(workers))}`;
  const anyProcess = () => (draws.chance(50) ? api() : worker());
  const accountId = () => `a${String(random.below(accountCount))}`;
  const partition = () => partitionName(deletionAcceptedTopic, random.below(partitionCount));
  const anyFault = (): FaultPlan => {
    const drawn = random.below(13);
    if (drawn < 2) return { kind: 'kill', process: anyProcess() };
    if (drawn === 2) return { kind: 'freeze', process: draws.chance(80) ? anyProcess() : 'gateway-0' };
    if (drawn === 3) return { kind: draws.pick(['cut', 'stall']), api: api() };
    if (drawn === 4) return { kind: 'database', trouble: draws.pick(troubles), process: anyProcess() };
    if (drawn === 5) return { kind: 'database', trouble: draws.pick(troubles), part: accountId() };
    if (drawn === 6) return { kind: 'log', trouble: draws.pick(troubles), process: anyProcess() };
    if (drawn === 7) return { kind: 'log', trouble: draws.pick(troubles), part: partition() };
    if (drawn === 8)
      return { kind: 'clock', process: anyProcess(), byMs: draws.pick([-90_000, -5_000, 5_000, 90_000]) };
    if (drawn === 9) return { kind: 'failover' };
    return { kind: draws.pick(['rebalance', 'replay', 'poison', 'failover']) };
  };
  const apiFault = (): FaultPlan => {
    const drawn = random.below(6);
    const sick = 'api-0';
    if (drawn === 0) return { kind: 'kill', process: sick };
    if (drawn === 1) return { kind: 'freeze', process: sick };
    if (drawn < 4) return { kind: drawn === 2 ? 'cut' : 'stall', api: sick };
    return { kind: 'database', trouble: draws.pick(['hung', 'down', 'slow'] as const), process: sick };
  };
  const addFault = (atMs: number, forMs: number, fault: FaultPlan) =>
    add(Math.min(atMs, healAtMs[kind] - 1), { kind: 'fault', forMs, fault });
  const drawMs = () => draws.pick([300, 2_000, 6_000, 15_000]);
  /** Some faults begin just before requests come together, others just after. */
  const drawBegin = () => {
    const drawn = random.below(4);
    if (drawn === 0) return random.below(busyMs / 2);
    const atMs = draws.pick(bursts);
    return drawn === 1 ? atMs + random.below(60) : Math.max(0, atMs - random.below(30));
  };
  /** A fault, and another one while it lasts. */
  const addTwo = (atMs: number, forMs: number, first: FaultPlan, second: FaultPlan) => {
    addFault(atMs, forMs, first);
    addFault(atMs + random.below(forMs / 2), draws.chance(50) ? forMs : drawMs(), second);
  };
  const trouble = () => draws.pick(troubles);
  if (kind === 'removal')
    for (let index = draws.between(1, 3); index > 0; index--) {
      const where = draws.chance(50) ? { process: worker() } : { part: accountId() };
      const log = draws.chance(30) ? { process: worker() } : { part: partition() };
      addTwo(
        Math.min(...bursts) + random.below(60),
        draws.pick([2_000, 6_000, 15_000]),
        { kind: 'database', trouble: trouble(), ...where },
        draws.chance(70) ? { kind: 'log', trouble: trouble(), ...log } : anyFault(),
      );
    }
  else if (kind === 'account') {
    const atMs = draws.chance(50) ? Math.min(...bursts) + random.below(60) : drawBegin();
    const fault = { kind: 'database', trouble: trouble(), part: 'a0' } as const;
    addFault(atMs, draws.pick([300, 2_000, 8_000, 28_000]), fault);
  } else if (kind === 'api') addFault(drawBegin(), drawMs(), apiFault());
  else if (mayOverlap) {
    for (let index = draws.between(1, 9); index > 0; index--) addFault(drawBegin(), drawMs(), anyFault());
    if (kind === 'contest')
      for (let index = draws.between(1, 3); index > 0; index--) {
        const lost = api();
        const where = draws.chance(70) ? { process: lost } : { part: accountId() };
        addTwo(
          Math.max(0, draws.pick(bursts) - random.below(30)),
          drawMs(),
          { kind: 'database', trouble: draws.pick(['hung', 'slow'] as const), ...where },
          draws.chance(70) ? { kind: 'cut', api: lost } : { kind: 'kill', process: lost },
        );
      }
  }
  for (let index = draws.between(5, 15); index > 0; index--)
    add(drawTime(), { kind: 'read', account: random.below(accountCount) });
  actions.sort((one, other) => one.atMs - other.atMs);
  const stocked = accounts.map((one, index) => ({ ...one, jobs: Math.max(one.jobs, used[index] ?? 0) }));
  return { seed, kind, gateways, apis, workers, maxEventJobs, accounts: stocked, actions };
}
