import type { Fault } from '@jobs-delete/runtime/fault';
import type { Deletion, DeletionReceipt, DeletionState, RequestOrigin } from './deletion.ts';
import type { JobStore } from './job-store.ts';
import type { ClaimRange } from './removed-parts.ts';
import type { ReceiptStore } from './receipt-store.ts';
import type { Guard, LimitExceeded, RuleStore, UsageStore } from './safety-rules.ts';

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
   * Records a publication. A final state stays. Leaves out deletions that are due at the end of none of these leases, so it does
   * not undo a postponement, and a second call for the same publication changes nothing.
   */
  markPublished(deletions: readonly LeasedKey[], atMs: number, nextDueAtMs: number): Promise<void>;
  /** Leases those of the deletions that are not final, due or not, until `untilMs`. Their delays must be over. */
  leaseOpen(deletions: readonly DeletionKey[], untilMs: number): Promise<Deletion[]>;
  /** Changes when the deletions are due. A final state stays. Leaves out waiting ones, because an event may arrive early. */
  postpone(deletions: readonly DeletionKey[], dueAtMs: number): Promise<void>;
  /** Makes every unpublished deletion due at once, except waiting ones. Only for a process that owns the store alone. */
  releaseLeases(): Promise<void>;
  /**
   * Counts the deletions whose removal has begun and is not completed, in each of both states. Stops at `maxDeletions` in each, the longest due
   * first, because counting a long outbox is slow. Each adapter has a default.
   */
  measureOutbox(maxDeletions?: number): Promise<OutboxStates>;
}

export interface CancellationStore {
  /**
   * Cancels a waiting deletion as a whole: frees its jobs, keeps their ids on record, and makes the deletion due, so that
   * a relay publishes the cancellation. Either this or a lease takes effect, never both. A repeated call gets the answer of
   * the first one.
   */
  cancelDeletion(key: DeletionKey, atMs: number, origin: RequestOrigin): Promise<Cancellation>;
  /** Ends the outbox entries of cancelled deletions, whose events are on the log. They are receipts from then on. */
  endCancelled(deletions: readonly DeletionKey[]): Promise<void>;
}

export type Cancellation =
  | { readonly kind: 'cancelled'; readonly receipt: DeletionReceipt }
  /** Removal has begun, or the deletion never had a delay. */
  | { readonly kind: 'not-cancellable' }
  | { readonly kind: 'not-found' };

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

/** Records that an audit compares, of all accounts: for operators only. Each page has a bounded size and uses an index. */
export interface AuditStore {
  /**
   * Yields deletions that are not completed, the longest due first; waiting and cancelled ones only if they were due before
   * `acceptedBeforeMs`. A deletion leased meanwhile may appear twice.
   */
  openDeletions(acceptedBeforeMs: number): AsyncIterable<readonly OpenDeletion[]>;
  /** Yields deletions completed between both times (inclusive), in the order of their completion. */
  completedDeletions(fromMs: number, toMs: number): AsyncIterable<readonly CompletedDeletion[]>;
}

export interface OpenDeletion {
  readonly id: string;
  readonly accountId: string;
  readonly state: Exclude<DeletionState, 'completed'>;
  readonly jobCount: number;
  readonly acceptedAtMs: number;
  readonly removalAtMs: number | undefined;
  readonly publishedAtMs: number | undefined;
  readonly dueAtMs: number;
}

export interface CompletedDeletion {
  readonly id: string;
  readonly accountId: string;
  /** Number of jobs at acceptance. */
  readonly jobCount: number;
  readonly completedAtMs: number;
  /** Number of job ids on record that have a claim. */
  readonly recordedJobs: number;
  /** Number of claims that are recorded as removed. A deletion of one part may record none. */
  readonly coveredJobs: number;
  /** Number of claimed postings that still exist. */
  readonly jobsLeft: number;
}

export interface DeletionKey {
  readonly deletionId: string;
  readonly accountId: string;
}

/** A deletion that was leased for its publication. */
export interface LeasedKey extends DeletionKey {
  readonly leasedUntilMs: number;
}
