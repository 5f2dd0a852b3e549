import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { Deletion } from '../store/deletion.ts';
import type { Store } from '../store/store.ts';
import { importJobs, jobIds as idsOf, keyOf, partsOf } from './deletions.ts';
import { changeRules, currentRules, type LimitPrecision, type ModelRules } from './limit-model.ts';
import { createSafetyCalls } from './safety-calls.ts';
import {
  createSafetyModel,
  freeJobsOf,
  judge,
  limitOf,
  passTime,
  type ModelRequest,
  type SafetyEvent,
} from './safety-model.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/** Replicas on one database, whose time the simulation moves. */
export interface SafetyWorld {
  readonly replicas: readonly Replica[];
  readonly precision: LimitPrecision;
  /** Multiplies limits and jobs: a store may reserve a part of a high limit. */
  readonly scale: number;
  /** The time by which limits are kept. */
  limitAtMs(): number;
  /** How far that time is ahead of the clock that keeps it. */
  readonly aheadMs: () => number;
  /** Lets time pass for all: database and replicas. */
  advance(ms: number): Promise<void>;
  /** Sets the clock of a replica, or of all that share it. */
  set(replica: number, byMs: number): void;
  /** Ends a replica without a stop, and starts it again. */
  kill(replica: number): Promise<void>;
}

export interface Replica {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'defer'>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const advances = [
  1_000,
  minuteMs,
  15 * minuteMs,
  hourMs,
  6 * hourMs,
  23.75 * hourMs,
  24 * hourMs,
  24.25 * hourMs,
];
const sets = [-26 * hourMs, -hourMs, -10 * minuteMs, 10 * minuteMs, hourMs, 26 * hourMs];
const delays = [0, 0, minuteMs, hourMs, 30 * hourMs];
/** No multiple of the times that pass. */
const retentions = [7 * minuteMs, 3 * hourMs + 7 * minuteMs];
const jobsAtStart = 12;
/** Between these, only the answers of the calls are checked. */
const stepsPerCheck = 3;

/**
 * Plays one random history of accepts, cancellations, removals, postings, changed rules, clocks and crashes, which the seed
 * decides. Concurrent calls must have the answers of one order.
 * @throws Error with the seed and the last steps, if an answer is wrong
 */
export async function simulateSafety(seed: number, world: SafetyWorld, steps: number): Promise<void> {
  const random = createSeededRandom(seed);
  const history: string[] = [];
  const play = createPlay(`s${String(seed)}-${String(world.limitAtMs())}`, world, random, history);
  try {
    await play.begin();
    for (let step = 0; step < steps; step++) await play.step(step);
    await play.end();
  } catch (error) {
    const last = history.slice(-12).join('\n');
    throw new Error(`seed ${String(seed)}, step ${String(history.length)}: ${String(error)}\n${last}`, {
      cause: error,
    });
  }
}

function createPlay(name: string, world: SafetyWorld, random: SeededRandom, history: string[]) {
  const accountIds = [`${name}-a`, `${name}-b`];
  let model = createSafetyModel(accountIds, world.limitAtMs());
  const asked: ModelRequest[] = [];
  /** Deletions whose events are on the log: a worker may process each at any time, again and again. */
  const events: Deletion[] = [];
  const delayOf = new Map<string, number>();
  let numbers = 0;

  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[random.below(items.length)] as Item;
  };
  const anyReplica = () => pick(world.replicas);
  const anyAccount = () => pick(accountIds);
  const someIds = () => {
    const size = pick([1, 1, 1, 2, 3, 5]) * pick([1, world.scale]);
    const from = random.below((jobsAtStart + 3) * world.scale);
    return idsOf(size, from);
  };

  /** Checks the events of concurrent calls. */
  const check = (some: readonly SafetyEvent[]) => {
    history.push(some.map((one) => JSON.stringify(one, shorten)).join(' & '));
    let first: string | undefined;
    for (const order of some.length === 1 ? [some] : ordersOf(some)) {
      const tried = some.length === 1 ? model : structuredClone(model);
      let problem: string | undefined;
      for (const event of order) problem ??= judge(tried, event, world.precision);
      if (problem === undefined) {
        model = tried;
        return;
      }
      first ??= problem;
    }
    throw new Error(first);
  };
  const checkStates = async () => {
    const { store } = anyReplica();
    const keys = [...new Map(asked.map((request) => [request.deletionId, request])).values()];
    const states = await store.findStates(keys);
    check([
      { kind: 'states', answer: new Map(keys.map(({ deletionId }, index) => [deletionId, states[index]])) },
    ]);
    history.pop();
    for (const accountId of accountIds) {
      const { jobIds } = await store.listJobs({ accountId, after: '', limit: 1_000 });
      const expected = freeJobsOf(model, accountId);
      if (jobIds.join() !== expected.join())
        throw new Error(`the jobs of ${accountId} are ${jobIds.join()}, not ${expected.join()}`);
    }
  };

  const drawRequest = (): ModelRequest => {
    if (asked.length > 0 && random.below(6) === 0) return pick(asked);
    const key = random.below(3) === 0 ? `key-${String(random.below(3))}` : undefined;
    const dryRun = random.below(8) === 0;
    const [deletionId, accountId, jobIds] = [random.uuid(), anyAccount(), someIds()];
    return { deletionId, accountId, jobIds, key, dryRun, atMs: 0, delayMs: 0 };
  };
  const calls = createSafetyCalls(world, random);
  const accept = (drawn: ModelRequest) => {
    const request = { ...drawn, delayMs: delayOf.get(drawn.accountId) ?? 0 };
    asked.push(request);
    return calls.accept(request, anyReplica());
  };
  const cancel = ({ deletionId, accountId }: ModelRequest) => {
    const asker = random.below(10) === 0 ? anyAccount() : accountId;
    return calls.cancel({ deletionId, accountId: asker }, anyReplica());
  };
  const lease = () => {
    // A relay that dies after the lease publishes nothing.
    const isDying = random.below(5) === 0;
    return calls.lease(anyReplica(), (leased) => isDying || events.push(...leased));
  };
  /** Processes an event as relay and worker do, which may die between both writes. */
  const process = async (deletion: Deletion) => {
    const { store, clock } = anyReplica();
    const deletionId = deletion.id;
    const time = () => ({ deletionId, limitAtMs: world.limitAtMs() });
    if (deletion.state === 'cancelled') {
      await store.endCancelled([keyOf(deletion)]);
      check([{ kind: 'announce', ...time() }]);
      return;
    }
    const { parts, removed, refused } = await store.removeJobs(partsOf(deletion));
    check([{ kind: 'remove', deletionId, removed: refused.length > 0 ? undefined : removed }]);
    if (parts.length === 0 || random.below(5) === 0) return;
    await store.recordRemovals(parts, clock.now());
    check([{ kind: 'record', ...time() }]);
  };
  /** Processes the event of a deletion that no relay has leased, such as one that an operator replays. */
  const replay = async () => {
    const request = pick(asked);
    const deletion = await anyReplica().store.findDeletion(request.deletionId, request.accountId);
    if (deletion !== undefined && deletion.claims.length > 0 && deletion.state !== 'accepted')
      events.push({ ...deletion, state: 'accepted' });
  };
  const change = async () => {
    const { store } = anyReplica();
    const accountId = anyAccount();
    const limits = limitOf(model, accountId);
    const rules = currentRules(limits);
    const drawn = random.below(4);
    if (drawn === 0) {
      const removalDelayMs = pick(delays);
      await store.setRules(accountId, { removalDelayMs });
      delayOf.set(accountId, removalDelayMs);
    } else if (drawn === 1) {
      const [jobs, atMs] = [world.scale * (1 + random.below(4)), world.limitAtMs()];
      const untilMs = atMs + pick([1, 15, 60, 1_500]) * minuteMs;
      await store.addAllowance(accountId, { id: `allowance-${String(++numbers)}`, jobs, untilMs }, atMs);
      const current = rules.allowances.filter((one) => one.untilMs > atMs);
      changeRules(limits, { ...rules, allowances: [...current, { jobs, untilMs }] });
    } else {
      const limit = pick<ModelRules['limit']>([
        { kind: 'jobs', amount: world.scale * (2 + random.below(8)) },
        { kind: 'share', amount: pick([10, 25, 33, 50]) },
        random.below(3) === 0 ? undefined : { kind: 'jobs', amount: world.scale * random.below(4) },
      ]);
      const stored =
        limit?.kind === 'share'
          ? ({ kind: 'share', percent: limit.amount } as const)
          : limit && ({ kind: 'jobs', jobs: limit.amount } as const);
      await store.setRules(accountId, { limit: stored });
      changeRules(limits, { ...rules, limit });
    }
    history.push(`rules of ${accountId}: ${JSON.stringify(currentRules(limits))}`);
  };
  const post = async (accountId: string, jobIds: readonly string[]) => {
    await importJobs(anyReplica().store, accountId, jobIds);
    check([{ kind: 'post', accountId, jobIds }]);
  };
  const expire = async () => {
    const retentionMs = pick(retentions);
    const { store } = anyReplica();
    while ((await store.expireReceipts(retentionMs, 1_000)) > 0);
    check([{ kind: 'expire', retentionMs, limitAtMs: world.limitAtMs() }]);
  };

  const concurrently = async (...calls: Promise<SafetyEvent>[]) => check(await Promise.all(calls));
  const waiting = () => asked.filter(({ delayMs }) => delayMs > 0);
  const moves: readonly [weight: number, move: () => Promise<unknown>][] = [
    [30, () => concurrently(...Array.from({ length: pick([1, 2, 3]) }, () => accept(drawRequest())))],
    [8, async () => waiting().length > 0 && concurrently(cancel(pick(waiting())))],
    [
      8,
      async () => {
        if (waiting().length === 0) return;
        const request = pick(waiting());
        const record = model.records.get(request.deletionId);
        if (record?.state === 'waiting' && random.below(2) === 0)
          await world.advance(Math.max(0, (record.dueAtMs ?? 0) - world.limitAtMs()));
        passTime(model, world.limitAtMs());
        await concurrently(cancel(request), lease(), accept(drawRequest()));
      },
    ],
    [8, () => concurrently(lease())],
    [14, async () => events.length > 0 && process(pick(events))],
    [3, async () => asked.length > 0 && replay()],
    [8, () => post(anyAccount(), someIds())],
    [10, change],
    [3, expire],
    [8, () => world.advance(pick(advances))],
    [
      3,
      () => {
        world.set(random.below(world.replicas.length), pick(sets));
        return Promise.resolve();
      },
    ],
    [3, () => world.kill(random.below(world.replicas.length))],
  ];
  const total = moves.reduce((sum, [weight]) => sum + weight, 0);

  return {
    begin: async () => {
      for (const accountId of accountIds) await post(accountId, idsOf(jobsAtStart * world.scale));
      await change();
      await change();
    },
    step: async (number: number) => {
      passTime(model, world.limitAtMs());
      let drawn = random.below(total);
      const [, move] = moves.find(([weight]) => (drawn -= weight) < 0) ?? [];
      await move?.();
      passTime(model, world.limitAtMs());
      if (number % stepsPerCheck === 0) await checkStates();
    },
    /** Lets relays and workers finish: every deletion is completed or cancelled in the end. */
    end: async () => {
      const isOpen = () => [...model.records.values()].some(({ dueAtMs }) => dueAtMs !== undefined);
      for (let round = 0; isOpen(); round++) {
        if (round === 60) throw new Error('some deletions do not end');
        await world.advance(24 * hourMs);
        passTime(model, world.limitAtMs());
        const before = events.length;
        await concurrently(lease());
        for (const deletion of events.slice(before)) await process(deletion);
      }
      await checkStates();
    },
  };
}

function shorten(_name: string, value: unknown): unknown {
  const isLong = Array.isArray(value) && value.length > 5;
  return isLong ? `${String(value.length)} from ${JSON.stringify(value[0])}` : value;
}

function ordersOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first, index) =>
    ordersOf(items.toSpliced(index, 1)).map((others) => [first, ...others]),
  );
}
