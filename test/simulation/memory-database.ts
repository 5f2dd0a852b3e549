import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import type { ClaimRange } from '@jobs-delete/deleter-service/store/removed-parts';
import type { SafetyRules } from '@jobs-delete/deleter-service/store/safety-rules';
import { Fault } from '@jobs-delete/runtime/fault';
import { nothing, type World } from './world.ts';

/** One posting of a job. */
export interface StoredJob {
  readonly key: string;
  readonly accountId: string;
  readonly id: string;
  /** Never used for another posting. */
  readonly claim: string;
  readonly posting: Readonly<Record<string, unknown>>;
  readonly importedAtMs: number;
  readonly deletionId: string | undefined;
}

export interface StoredDeletion {
  readonly deletion: Deletion;
  /** The claims at acceptance; a cancelled deletion has none any more. */
  readonly accepted: readonly string[];
  readonly dueAtMs: number | undefined;
  readonly ranges: readonly ClaimRange[];
}

/** A write: the record before and after it. */
export type Write =
  | {
      readonly table: 'jobs';
      readonly key: string;
      readonly before?: StoredJob | undefined;
      readonly after?: StoredJob | undefined;
    }
  | {
      readonly table: 'deletions';
      readonly key: string;
      readonly before?: StoredDeletion | undefined;
      readonly after?: StoredDeletion | undefined;
    };

/**
 * The database: a primary with a journal that a majority confirms a moment later. A failover undoes every write that no majority
 * has.
 */
export class MemoryDatabase {
  readonly jobs = new Map<string, StoredJob>();
  readonly deletions = new Map<string, StoredDeletion>();
  readonly rules = new Map<string, SafetyRules>();
  /** Called for each write that a majority has, in the order of the journal. */
  onCommitted: (write: Write) => void = () => undefined;
  /** While true, no majority confirms a write. */
  isMajorityAway = false;
  /** The number of deletions that are due at some time. */
  due = 0;
  /** The number of times that it has failed over. */
  failovers = 0;
  readonly #world: World;
  readonly #keys = new Map<string, string>();
  readonly #keyOfClaim = new Map<string, string>();
  readonly #journal: Write[] = [];
  #committed = 0;
  #isAtomic = false;
  #postings = 0;
  #waiting: { readonly position: number; resolve(): void; reject(error: Fault): void }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns a copy that takes itself for the primary until it fails over: no majority confirms its writes. */
  deposed(): MemoryDatabase {
    const old = new MemoryDatabase(this.#world);
    for (const name of ['jobs', 'deletions', 'rules'] as const)
      for (const [key, value] of this[name]) (old[name] as Map<string, unknown>).set(key, value);
    for (const [key, value] of this.#keys) old.#keys.set(key, value);
    for (const [key, value] of this.#keyOfClaim) old.#keyOfClaim.set(key, value);
    old.#journal.push(...this.#journal);
    old.#committed = this.#committed;
    old.due = this.due;
    old.isMajorityAway = true;
    return old;
  }

  nextClaim(): string {
    this.#postings += 1;
    return String(this.#postings);
  }

  /** Returns the accounts of all deletions. */
  accounts(): ReadonlySet<string> {
    const accounts = new Set<string>();
    for (const { deletion } of this.deletions.values()) accounts.add(deletion.accountId);
    return accounts;
  }

  /** Returns the account's deletion that has the idempotency key. */
  findByKey(accountId: string, key: string | undefined): Deletion | undefined {
    if (key === undefined) return undefined;
    const id = this.#keys.get(`${accountId} ${key}`);
    return id === undefined ? undefined : this.deletions.get(id)?.deletion;
  }

  /** Returns the posting of the account that has the claim, as a filter by claims does. */
  findByClaim(accountId: string, claim: string): StoredJob | undefined {
    const job = this.jobs.get(this.#keyOfClaim.get(claim) ?? '');
    return job?.claim === claim && job.accountId === accountId ? job : undefined;
  }

  write(write: Write): void {
    this.#apply(write, 'after');
    this.#journal.push(write);
    if (!this.#isAtomic) this.#commitSoon();
  }

  /** A majority has all writes of the call, or none. */
  atomically<Result>(call: () => Result): Result {
    this.#isAtomic = true;
    try {
      return call();
    } finally {
      this.#isAtomic = false;
      this.#commitSoon();
    }
  }

  #commitSoon(): void {
    const position = this.#journal.length;
    this.#world.after(this.#world.between(0, 3), () =>
      this.isMajorityAway ? nothing : this.#commit(position),
    );
  }

  /** Resolves when a majority has every write so far. Rejects if a failover undoes one of them. */
  committed(): Promise<void> {
    const position = this.#journal.length;
    if (position <= this.#committed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ position, resolve, reject });
    });
  }

  /** Confirms what a call has read, by a write of nothing: a majority has it, and this is the primary. */
  async confirmed(): Promise<void> {
    const position = this.#journal.length;
    this.#commitSoon();
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ position, resolve, reject });
    });
  }

  failOver(): void {
    this.failovers += 1;
    for (const write of this.#journal.splice(this.#committed).reverse()) this.#apply(write, 'before');
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(new Fault('unknown-outcome', 'the primary has stepped down'));
  }

  /** A majority is back: it confirms everything. */
  heal(): void {
    this.isMajorityAway = false;
    this.#commit(this.#journal.length);
  }

  #commit(position: number): unknown {
    const until = Math.min(position, this.#journal.length);
    for (; this.#committed < until; this.#committed++) {
      const write = this.#journal[this.#committed];
      if (write !== undefined) this.onCommitted(write);
    }
    const confirmed = this.#waiting.filter((one) => one.position <= this.#committed);
    if (confirmed.length === 0) return nothing;
    this.#waiting = this.#waiting.filter((one) => one.position > this.#committed);
    for (const { resolve } of confirmed) resolve();
    return undefined;
  }

  #apply(write: Write, side: 'before' | 'after'): void {
    if (write.table === 'jobs') {
      const value = write[side];
      if (write.before === undefined && write.after !== undefined)
        this.#keyOfClaim.set(write.after.claim, write.key);
      if (value === undefined) this.jobs.delete(write.key);
      else this.jobs.set(write.key, value);
      return;
    }
    const value = write[side];
    const { deletion } = (write.after ?? write.before) as StoredDeletion;
    const { accountId, idempotencyKey } = deletion;
    if (this.deletions.get(write.key)?.dueAtMs !== undefined) this.due -= 1;
    if (value?.dueAtMs !== undefined) this.due += 1;
    if (value === undefined) this.deletions.delete(write.key);
    else this.deletions.set(write.key, value);
    if (idempotencyKey === undefined) return;
    if (value === undefined) this.#keys.delete(`${accountId} ${idempotencyKey}`);
    else this.#keys.set(`${accountId} ${idempotencyKey}`, write.key);
  }
}

export function jobKey(accountId: string, jobId: string): string {
  return `${accountId}/${jobId}`;
}
