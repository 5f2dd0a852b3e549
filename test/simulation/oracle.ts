import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import type { Outcome } from '@jobs-delete/gateway/deleter/answer';
import { jobsDeletedTopic, type JobsDeletedData } from '@jobs-delete/proto/events';
import type { DeletionStatus } from '@jobs-delete/gateway/deleter/repeated-calls';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Cluster } from './cluster.ts';
import type { Plan } from './plan.ts';
import { jobKey, type StoredDeletion, type StoredJob, type Write } from './memory-database.ts';

/** A request as its caller knows it. */
export interface Asked {
  readonly deletionId: string;
  readonly accountId: string;
  readonly jobIds: readonly string[];
  readonly key: string | undefined;
  readonly atMs: number;
}

const nextStates: Readonly<Record<Deletion['state'], readonly Deletion['state'][]>> = {
  waiting: ['waiting', 'accepted', 'cancelled'],
  accepted: ['accepted', 'published', 'completed'],
  published: ['published', 'completed'],
  completed: ['completed'],
  cancelled: ['cancelled'],
};

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function isEnd(state: Deletion['state']): boolean {
  return state === 'completed' || state === 'cancelled';
}

/**
 * Judges every write that a majority has, every announcement and every answer, by the guarantees that callers can see. It shares
 * no code with the service.
 */
export class Oracle {
  accepted = 0;
  refused = 0;
  unknown = 0;
  removed = 0;
  /** The first problem. */
  problem: string | undefined;
  readonly #cluster: Cluster;
  readonly #asked = new Map<string, Asked & { readonly jobs: ReadonlySet<string> }>();
  /** The ids of refused requests. No deletion may have one of them. */
  readonly #refused = new Set<string>();
  /** By claim. */
  readonly #jobs = new Map<string, StoredJob>();
  readonly #deletions = new Map<string, StoredDeletion>();
  /** When each unclaimed job became free to delete. */
  readonly #freeSinceMs = new Map<string, number>();
  /** The deletion that each posting belongs to. */
  readonly #claimedBy = new Map<string, string>();
  readonly #announced = new Set<string>();
  /** The most jobs that an account may delete. */
  readonly limits: Map<string, number>;
  /** The deleted jobs of each account with a limit, after each change. */
  readonly #used = new Map<string, { readonly atMs: number; readonly jobs: number }[]>();
  readonly #firstOfKey = new Map<string, string>();
  /** Removed although its deletion has not begun: only a new posting may do that, with the next write. */
  #replaced: string | undefined;

  readonly #plan: Plan;
  readonly #removedMs: number;
  readonly #areClocksWrong: boolean;
  readonly #expired = new Set<string>();
  /** The events that are invalid by themselves. Each becomes a dead letter. */
  readonly #poison = new Set<string>();

  constructor(cluster: Cluster, plan: Plan, removedMs: number) {
    this.#cluster = cluster;
    this.#plan = plan;
    this.limits = new Map(
      plan.accounts.flatMap(({ id, limit }) => (limit === undefined ? [] : [[id, limit]])),
    );
    this.#removedMs = removedMs;
    this.#areClocksWrong = plan.actions.some((one) => one.kind === 'fault' && one.fault.kind === 'clock');
    cluster.database.onCommitted = (write) => this.#judgeWrite(write);
    cluster.broker.onPublished = (topic, events) => {
      for (const { key, headers } of events) if (key === 'poison') this.#poison.add(headers.ce_id ?? '');
      if (topic !== jobsDeletedTopic) return;
      for (const { value } of events) {
        const { jobs } = JSON.parse(value.toString()) as JobsDeletedData;
        for (const { claim } of jobs) this.#judgeAnnouncement(claim);
      }
    };
  }

  fail(problem: string): void {
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.#cluster.tell(`BROKEN: ${problem}`);
  }

  asks(asked: Asked): void {
    this.#asked.set(asked.deletionId, { ...asked, jobs: new Set(asked.jobIds) });
  }

  answered(asked: Asked, outcome: Outcome): void {
    const { deletionId, accountId, jobIds, key, atMs } = asked;
    if (outcome instanceof Fault) {
      if (outcome.code === 'internal') this.fail(`an answer is internal: ${outcome.message}`);
      if (outcome.code === 'unknown-outcome') this.unknown += 1;
      else this.#refuse(deletionId);
      return;
    }
    switch (outcome.kind) {
      case 'accepted': {
        this.accepted += 1;
        const { deletion } = this.#deletions.get(outcome.deletionId) ?? {};
        if (deletion === undefined) {
          this.fail(`${outcome.deletionId} is accepted, but not on record`);
          return;
        }
        if (deletion.accountId !== accountId || !areEqual(deletion.jobIds, jobIds)) {
          this.fail(`the answer to ${deletionId} is a deletion of other jobs`);
          return;
        }
        if (!outcome.replayed && outcome.deletionId !== deletionId) {
          this.fail(`${deletionId} is answered with ${outcome.deletionId}`);
          return;
        }
        if (outcome.replayed && deletion.idempotencyKey !== key) {
          this.fail(`${deletionId} is answered with a deletion of another key`);
          return;
        }
        return;
      }
      case 'jobs-not-found':
        for (const position of outcome.positions)
          if ((this.#freeSinceMs.get(jobKey(accountId, jobIds[position] ?? '')) ?? Infinity) < atMs)
            this.fail(`${deletionId}: ${String(jobIds[position])} is not found, but was free all the time`);
        {
          this.#refuse(deletionId);
          return;
        }
      case 'limit-exceeded':
        if (this.#mostUsed(accountId, atMs) + jobIds.length <= (this.limits.get(accountId) ?? Infinity))
          this.fail(`${deletionId} exceeds no limit`);
        this.#refuse(deletionId);
        return;
      case 'key-reused':
        if (!this.#firstOfKey.has(`${accountId} ${String(key)}`))
          this.fail(`${deletionId}: the key ${String(key)} is new`);
        {
          this.#refuse(deletionId);
          return;
        }
    }
  }

  /** Called before a read of a deletion that was accepted. Returns the judge of its answer. */
  reads(id: string, accountId: string): (answer: DeletionStatus | undefined) => void {
    const before = this.#deletions.get(id)?.deletion;
    return (answer) => {
      const now = this.#deletions.get(id)?.deletion;
      // It may expire.
      if (before === undefined || now === undefined) return;
      const states = [before, now].map(({ state }) => (isEnd(state) ? state : 'queued'));
      if (before.accountId !== accountId) {
        if (answer !== undefined) this.fail(`${accountId} sees ${id} of ${before.accountId}`);
      } else if (answer === undefined) this.fail(`${id} is accepted, but not found`);
      else if (!states.includes(answer.state) || answer.jobs !== now.jobIds.length)
        this.fail(
          `${id} is answered as ${answer.state}, but a majority has it as ${states.join(', then as ')}`,
        );
    };
  }

  /** Judges the records that remain after all requests, relays and workers are done. */
  end(): void {
    for (const [id, { deletion, dueAtMs }] of this.#deletions)
      if (dueAtMs !== undefined) this.fail(`${id} stays ${deletion.state}`);
    for (const { key, deletionId } of this.#jobs.values())
      if (deletionId !== undefined) this.fail(`the job ${key} stays, although ${deletionId} has claimed it`);
    for (const id of this.#poison)
      if (!this.#cluster.broker.letters.has(id)) this.fail(`the invalid event ${id} is lost`);
    for (const { id, reason } of this.#cluster.broker.letters.values())
      if (!id.startsWith('poison') && !this.#expired.has(id.split('.')[0] ?? ''))
        this.fail(`the event ${id} is a dead letter: ${reason}`);
  }

  #mostUsed(accountId: string, sinceMs: number): number {
    const used = this.#used.get(accountId) ?? [];
    const before = used.findLastIndex(({ atMs }) => atMs < sinceMs);
    return Math.max(0, ...used.slice(Math.max(0, before)).map(({ jobs }) => jobs));
  }

  #judgeLimit({ id, accountId, jobIds }: Deletion, factor: 1 | -1): void {
    const limit = this.limits.get(accountId);
    if (limit === undefined) return;
    const used = this.#used.get(accountId) ?? [];
    const jobs = (used.at(-1)?.jobs ?? 0) + factor * jobIds.length;
    if (jobs > limit) this.fail(`${id} exceeds the limit of ${accountId}: ${String(jobs)} jobs`);
    used.push({ atMs: this.#cluster.world.nowMs, jobs });
    this.#used.set(accountId, used);
  }

  #refuse(deletionId: string): void {
    this.refused += 1;
    this.#refused.add(deletionId);
    if (this.#deletions.has(deletionId)) this.fail(`${deletionId} is refused, but on record`);
  }

  #judgeWrite(write: Write): void {
    const replaced = this.#replaced;
    this.#replaced = undefined;
    if (replaced !== undefined && (write.key !== replaced || write.before !== undefined))
      this.fail(`the job ${replaced} is removed before the end of its delay`);
    if (write.table === 'jobs') this.#judgeJob(write.key, write.before, write.after);
    else this.#judgeDeletion(write.key, write.before, write.after);
  }

  #judgeJob(key: string, before: StoredJob | undefined, after: StoredJob | undefined): void {
    if (before !== undefined && before.claim !== after?.claim) this.#jobs.delete(before.claim);
    if (after !== undefined) this.#jobs.set(after.claim, after);
    if (after !== undefined && after.deletionId === undefined)
      this.#freeSinceMs.set(key, this.#cluster.world.nowMs);
    else this.#freeSinceMs.delete(key);
    if (before === undefined) return;
    if (after === undefined) this.#judgeRemoval(key, before);
    else if (after.deletionId !== undefined) this.#judgeClaim(before, after.deletionId);
    else this.#claimedBy.delete(before.claim);
  }

  #judgeClaim({ claim, accountId, id }: StoredJob, deletionId: string): void {
    const owner = this.#claimedBy.get(claim);
    if (owner !== undefined) this.fail(`the job ${id} of ${deletionId} belongs to ${owner}`);
    this.#claimedBy.set(claim, deletionId);
    const asked = this.#asked.get(deletionId);
    if (asked?.accountId !== accountId || !asked.jobs.has(id))
      this.fail(`${deletionId} takes the job ${id} of ${accountId}, which it did not ask for`);
  }

  #judgeRemoval(key: string, { claim }: StoredJob): void {
    this.removed += 1;
    const owner = this.#claimedBy.get(claim);
    const state = owner === undefined ? undefined : this.#deletions.get(owner)?.deletion.state;
    if (owner === undefined) this.fail(`the job ${key} is removed, and nobody has asked for that`);
    else if (state === 'waiting') this.#replaced = key;
    else if (state === undefined || state === 'cancelled')
      this.fail(`the job ${key} is removed for ${owner}, which is ${state ?? 'not on record'}`);
  }

  #judgeDeletion(id: string, before: StoredDeletion | undefined, after: StoredDeletion | undefined): void {
    if (after === undefined) {
      this.#deletions.delete(id);
      this.#expired.add(id);
      if (before?.dueAtMs !== undefined) this.fail(`${id} expires before its end`);
      return;
    }
    this.#deletions.set(id, after);
    const { deletion, accepted } = after;
    const asked = this.#asked.get(id);
    if (before === undefined) this.#judgeLimit(deletion, 1);
    else if (before.deletion.state !== 'cancelled' && deletion.state === 'cancelled')
      this.#judgeLimit(deletion, -1);
    if (before === undefined) this.#judgeNew(deletion);
    else if (!nextStates[before.deletion.state].includes(deletion.state))
      this.fail(`${id} was ${before.deletion.state} and is ${deletion.state}`);
    const mayBegin = this.#areClocksWrong || this.#cluster.world.nowMs >= (deletion.removalAtMs ?? 0);
    if (before?.deletion.state === 'waiting' && deletion.state === 'accepted' && !mayBegin)
      this.fail(`the removal of ${id} begins before the end of its delay`);
    if (deletion.state !== 'completed' || before?.deletion.state === 'completed') return;
    const tookMs = this.#cluster.world.nowMs - (asked?.atMs ?? 0);
    const suffers = this.#plan.accounts.some((one) => one.id === deletion.accountId && one.suffers);
    if (!suffers && tookMs > this.#removedMs)
      this.fail(`the trouble is not that of ${deletion.accountId}, but ${id} takes ${String(tookMs)} ms`);
    for (const [position, claim] of accepted.entries()) {
      if (this.#jobs.has(claim))
        this.fail(`${id} is completed, but its job ${String(deletion.jobIds[position])} is there`);
      if (!this.#announced.has(claim))
        this.fail(`${id} is completed, but its job ${String(deletion.jobIds[position])} is not announced`);
    }
  }

  #judgeNew({ id, accountId, jobIds, idempotencyKey }: Deletion): void {
    const asked = this.#asked.get(id);
    if (asked?.accountId !== accountId || !areEqual(asked.jobIds, jobIds))
      this.fail(`${id} is on record, but nobody has asked for it`);
    if (this.#refused.has(id)) this.fail(`${id} is on record, although it was refused`);
    if (idempotencyKey === undefined) return;
    const key = `${accountId} ${idempotencyKey}`;
    const first = this.#firstOfKey.get(key);
    if (first !== undefined && this.#deletions.has(first)) this.fail(`the key of ${id} belongs to ${first}`);
    this.#firstOfKey.set(key, id);
  }

  #judgeAnnouncement(claim: string): void {
    this.#announced.add(claim);
    const owner = this.#claimedBy.get(claim);
    if (owner === undefined)
      this.fail(`the removal of the posting ${claim} is announced, which nobody wanted`);
  }
}
