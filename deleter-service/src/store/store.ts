import type { Fault } from '@jobs-delete/runtime/fault';
import type { AuditStore } from './audit-store.ts';
import type { CancellationStore } from './cancellation.ts';
import type { Deletion, DeletionReceipt, DeletionState, RequestOrigin } from './deletion.ts';
import type { Guard, LimitExceeded, UsageStore, RuleStore } from './safety-rules.ts';
import type { JobStore } from './job-store.ts';
import type { ClaimRange } from './removed-parts.ts';

/**
 * Stores jobs and deletions. Every adapter keeps these rules, and its contract suite tests them:
 * - Every answer is durable: on the disk, or for a replica set in the journals of a majority.
 * - At most one deletion ever claims a job. A later posting with the same id is another job.
 * - Every query filters by `accountId`: another account's job or deletion looks as if it did not exist.
 * - A method rejects only with a Fault: `unavailable` (nothing has changed), `unknown-outcome` or `internal`.
 */
export interface Store
  extends
    DeletionStore,
    OutboxStore,
    CancellationStore,
    RemovalStore,
    ReceiptStore,
    AuditStore,
    JobStore,
    RuleStore,
    UsageStore {
  /** Resolves to the reason why the store can't be used, or to undefined. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface DeletionStore {
  /**
   * Accepts or refuses each request as a whole and alone. Calls `answer` once for each request, as soon as its own outcome
   * is known, in any order. If several requests name the same job, in one call or in many, exactly one of them is accepted.
   * A call can be repeated: a request whose `deletionId` is on record, with the same account and ids, is `accepted` again.
   *
   * Resolves when another call may start; some answers may come later. Rejects with a Fault that holds for every request
   * that has no answer yet.
   */
  acceptDeletions(requests: readonly AcceptRequest[], answer: Answer, isWanted?: IsWanted): Promise<void>;
}

/** `index` is the position of the request in the call. A Fault is of this request alone. */
export type Answer = (index: number, outcome: AcceptOutcome | Fault) => void;

/**
 * An adapter that does not decide and write in one step asks this just before the write, and leaves out a request that is no longer
 * wanted: another call has answered it. `index` as above. Asking again has no effect.
 */
export type IsWanted = (index: number) => boolean;

export interface AcceptRequest {
  /** Chosen by the caller, unique. A second request with the same id is a repetition. */
  readonly deletionId: string;
  readonly accountId: string;
  /** At least one; valid and distinct. */
  readonly jobIds: readonly string[];
  /** Checks everything and changes nothing. The id and the idempotency key are ignored. */
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
  readonly acceptedAtMs: number;
  /** The time from which any relay may publish the deletion. */
  readonly dueAtMs: number;
  /** The same time, for a deletion that waits until then and can be cancelled. Undefined without a delay. */
  readonly removalAtMs?: number | undefined;
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadlineMs: number | undefined;
  /** Absent if the account has no limit. */
  readonly guard?: Guard | undefined;
}

export type AcceptOutcome =
  /** `isRepeated`: the deletion was on record already, under the same id. Its state may be any. */
  | { readonly kind: 'accepted'; readonly deletion: Deletion; readonly isRepeated?: true }
  /** The account has used the key before, with the same ids in the same order: this is that deletion. */
  | { readonly kind: 'replayed'; readonly deletion: Deletion }
  /** The account has used the key before with other ids, or the deletion's id is used by other ids or another account. */
  | { readonly kind: 'key-reused' }
  /** A dry run that acceptDeletions would accept now. */
  | { readonly kind: 'would-be-accepted' }
  /**
   * Jobs that are unknown, of another account, or already claimed. Callers can't see which. `positions` are the indexes of all
   * of them in the request's job ids, ascending.
   */
  | { readonly kind: 'jobs-not-found'; readonly positions: readonly number[] }
  /** The account has all jobs, and would delete more within 24 hours than its guard allows. */
  | ({ readonly kind: 'limit-exceeded' } & LimitExceeded);

export interface OutboxStore {
  /**
   * Leases due deletions until `untilMs`, in the order of their due times. Until then no other caller gets them. A waiting
   * deletion is accepted from then on; one that is leased as cancelled needs only its event. If more
   * are due than one call leases, replicas that call at the same time lease different parts of them. Returns none only if
   * none is left. While a part of the store fails, leases those of the other parts, or rejects if there are none.
   */
  leaseDue(query: LeaseQuery): Promise<Deletion[]>;
  /**
   * Records a publication. A final state stays. Leaves out deletions that are due at none of `leaseEndsMs`, so it does not
   * undo a postponement, and a second call for the same publication changes nothing. Default: none is left out.
   */
  markPublished(
    deletions: readonly DeletionKey[],
    atMs: number,
    nextDueAtMs: number,
    leaseEndsMs?: readonly number[],
  ): Promise<void>;
  /** Changes when the deletions are due. A waiting one is accepted then. A final state stays. */
  postpone(deletions: readonly DeletionKey[], dueAtMs: number): Promise<void>;
  /** Makes every unpublished deletion due at once, except waiting ones. Only for a process that owns the store alone. */
  releaseLeases(): Promise<void>;
  /**
   * Counts the deletions whose removal has begun and is not completed, in each of both states. Stops at `maxDeletions` in each, the longest due
   * first, because counting a long outbox is slow. Each adapter has a default.
   */
  measureOutbox(maxDeletions?: number): Promise<OutboxStates>;
}

export interface LeaseQuery {
  readonly nowMs: number;
  /** Only deletions due from this time on: the index keeps keys of completed deletions for a while before it. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly maxDeletions: number;
  /** The most jobs of all leased deletions together. At least one deletion is leased. */
  readonly maxJobs: number;
  /** Deletions of these accounts are left for later. */
  readonly exceptAccounts: readonly string[];
}

export interface OutboxStates {
  /** Accepted, and on record neither as published nor as completed. */
  readonly accepted: Outbox;
  /** Published and not completed. */
  readonly published: Outbox;
}

export interface Outbox {
  /** At most maxDeletions. */
  readonly depth: number;
  /** The time at which the oldest was accepted, or its delay was over. Adapters may sample deletions with a delay. */
  readonly oldestAtMs: number | undefined;
}

/**
 * Removes jobs in two steps, with the announcement of the removal between them. Invariant: what is on record as removed is
 * announced. So after a crash the deletion is still due, its parts are published again, and their removal is announced.
 */
export interface RemovalStore {
  /**
   * Removes the jobs of each part that fits the record. Removing a part again changes nothing. A posting is removed only if
   * that deletion has claimed it.
   * A job whose version differs from the one recorded at acceptance is kept, and can be claimed again.
   */
  removeJobs(parts: readonly RemovalPart[]): Promise<RemovalAnswer>;
  /**
   * Records which of the deletion's claims the parts cover. A deletion is completed, and never due again, when all its
   * claims are covered, whatever the size of its parts. Recording a part again changes nothing.
   * @param atMs the time of completion for a store without a server; a server uses its own clock
   */
  recordRemovals(parts: readonly RemovedPart[], atMs: number): Promise<void>;
}

export interface RemovalAnswer {
  /** The parts that don't fit the record. The call did nothing for them. */
  readonly refused: readonly RefusedPart[];
  /** The other parts, to be recorded once their removal is announced. */
  readonly parts: readonly RemovedPart[];
  /** How many jobs this call has removed. */
  readonly removed: number;
  /** Claims of the parts' deletions whose jobs are kept, by this call or an earlier one. Missing if there are none. */
  readonly kept?: readonly string[];
}

/** A part whose jobs are removed or kept: the deletion's claims at the positions `from` (included) to `to` (not). */
export interface RemovedPart extends DeletionKey, ClaimRange {
  /** The number of claims of the deletion. */
  readonly claimCount: number;
}

export interface RefusedPart {
  /** The index of the part in the call. */
  readonly index: number;
  /** A text for operators. */
  readonly reason: string;
}

export interface RemovalPart {
  readonly deletionId: string;
  readonly accountId: string;
  /** Zero-based, below `parts`. */
  readonly part: number;
  readonly parts: number;
  readonly claims: readonly string[];
  /** The trace of the part's event, if there is one. */
  readonly traceparent?: string | undefined;
}

/** An undefined account id means all accounts, and is for operators only. */
export interface ReceiptStore {
  /** Reads the ids and claims of all jobs too, up to a megabyte. Prefer findReceipt. */
  findDeletion(deletionId: string, accountId: string | undefined): Promise<Deletion | undefined>;
  /** Does not read the jobs. Like findDeletion, sees no state that a failover can undo. */
  findReceipt(deletionId: string, accountId: string | undefined): Promise<DeletionReceipt | undefined>;
  /** Returns the state for each key, in their order; undefined if the account does not have the deletion. */
  findStates(deletions: readonly DeletionKey[]): Promise<(DeletionState | undefined)[]>;
  /** Newest first. Does not read the jobs. A page may have fewer deletions, or none: only `next` says if there are more. */
  listDeletions(query: ListDeletionsQuery): Promise<ReceiptPage>;
  /** Reads every deletion of the range, so callers ask for one day at a time. States without deletions are absent. */
  countDeletions(query: CountDeletionsQuery): Promise<readonly StateCounts[]>;
  /**
   * Expires deletions that were completed, or whose cancellation was published, more than `retentionMs` ago by the store's clock:
   * their claims are on jobs that no longer exist. Expires fewer than `maxDeletions` if they have many jobs.
   * @returns how many were found, 0 when none are left. Concurrent callers may find the same ones.
   */
  expireReceipts(retentionMs: number, maxDeletions: number): Promise<number>;
}

export interface DeletionKey {
  readonly deletionId: string;
  readonly accountId: string;
}

export interface ReceiptPage {
  readonly deletions: readonly DeletionReceipt[];
  readonly next: PagePosition | undefined;
}

/** The last deletion of a page: the next page has the older ones. */
export interface PagePosition {
  readonly acceptedAtMs: number;
  readonly id: string;
}

export interface ListDeletionsQuery {
  readonly accountId: string | undefined;
  readonly state: DeletionState | undefined;
  /** Only deletions that name this job. */
  readonly jobId?: string | undefined;
  /** Only deletions whose origin has this token. */
  readonly tokenId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly acceptedFromMs?: number | undefined;
  /** Exclusive. */
  readonly acceptedToMs?: number | undefined;
  readonly pageSize: number;
  readonly after: PagePosition | undefined;
  /**
   * The deletions of an account that one page examines for `state`, `jobId` or `tokenId`, which have no index. Default:
   * `maxExaminedDeletions`. Pages of all accounts have no such bound: they are for operators only.
   */
  readonly maxExamined?: number | undefined;
  /** The most ids that a search for `jobId` examines on a page, with those of the last deletion. Default: `maxExaminedJobs`. */
  readonly maxJobs?: number | undefined;
}

export const maxExaminedDeletions = 2_000;
export const maxExaminedJobs = 200_000;

/** The deletions that an account requested in a range of time. */
export interface CountDeletionsQuery {
  readonly accountId: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Only deletions whose origin has this token. */
  readonly tokenId?: string | undefined;
}

/** The deletions of one state. */
export interface StateCounts {
  readonly state: DeletionState;
  readonly deletions: number;
  readonly jobs: number;
  /** How many of the jobs are kept, because they changed after the acceptance. */
  readonly keptJobs: number;
}
