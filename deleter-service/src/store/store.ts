import type { PagePosition } from './page-token.ts';
import type { Deletion, DeletionReceipt, DeletionState, RequestOrigin } from './deletion.ts';

/**
 * Where jobs and deletions live. Every adapter keeps these, and store.contract.ts holds it to them:
 *
 * - What has been answered is on the disk (for a replica set: on a majority's journal).
 * - A job is claimed by at most one deletion, ever; a posting that comes later under the same id is another job.
 * - `accountId` is part of every look-up: another account's job or deletion is as if it did not exist.
 * - A method rejects with a Fault only: `unavailable` (nothing has happened), `unknown-outcome`, `internal`.
 */
export interface Store extends DeletionStore, OutboxStore, RemovalStore, ReceiptStore, AuditStore, JobStore {
  /** What keeps the store from being used, or undefined. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface DeletionStore {
  /**
   * Accepts each request as a whole or refuses it as a whole, independently of the others, and answers in their
   * order. Of several requests for one job, in one call or in many, exactly one is accepted.
   */
  acceptDeletions(requests: readonly AcceptRequest[]): Promise<StoredOutcome[]>;
  /** Which of the jobs acceptDeletions would refuse now; changes nothing. */
  findMissingJobs(accountId: string, jobIds: readonly string[]): Promise<MissingJobs>;
}

/** Accepts one request at a time, for callers above the store. */
export interface DeletionAcceptor extends Pick<DeletionStore, 'findMissingJobs'> {
  /** @throws Fault */
  acceptDeletion(request: AcceptRequest): Promise<AcceptOutcome>;
}

/** `deferred`: the request is not accepted; `outcome` looks up why, or rejects with a Fault of this request alone. */
export type StoredOutcome =
  AcceptOutcome | { readonly kind: 'deferred'; readonly outcome: () => Promise<AcceptOutcome> };

export interface AcceptRequest {
  /** Chosen by the caller, unique. */
  readonly deletionId: string;
  readonly accountId: string;
  /** Well-formed and distinct: at least one. */
  readonly jobIds: readonly string[];
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
  readonly acceptedAtMs: number;
  /** From when on any relay may publish the deletion. */
  readonly dueAtMs: number;
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadlineMs: number | undefined;
}

export type AcceptOutcome =
  | { readonly kind: 'accepted'; readonly deletion: Deletion }
  /** The account has used the key before, with the same ids in the same order: this is that deletion. */
  | { readonly kind: 'replayed'; readonly deletion: Deletion }
  /** The account has used the key before, with other ids. */
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'jobs-not-found'; readonly missing: MissingJobs };

/** Jobs that are unknown, another account's, or claimed already: no caller can tell which. */
export interface MissingJobs {
  /** Indexes into the request's job ids, ascending, at most 100. */
  readonly positions: readonly number[];
  readonly truncated: boolean;
}

export const maxMissingPositions = 100;

export interface OutboxStore {
  /**
   * Takes deletions that are due, the longest due first, and makes them due again at `untilMs`; no two callers
   * are given the same one before that. As many as have `maxJobs` jobs together, but one at least.
   */
  leaseDue(nowMs: number, untilMs: number, maxDeletions: number, maxJobs?: number): Promise<Deletion[]>;
  /** Records a publication. A completed deletion stays completed. */
  markPublished(deletionIds: readonly string[], atMs: number, nextDueAtMs: number): Promise<void>;
  /** Makes every unpublished deletion due at once. Only for a process that owns the store alone. */
  releaseLeases(): Promise<void>;
  /**
   * Measures the deletions that are accepted and not published. Looks at `maxDeletions` of them, those that have been
   * due the longest, so that a long outbox is not a slow one. Each adapter has a default.
   */
  measureOutbox(maxDeletions?: number): Promise<Outbox>;
}

export interface Outbox {
  /** At most maxDeletions. */
  readonly depth: number;
  /** When the oldest was accepted. */
  readonly oldestAtMs: number | undefined;
}

export interface RemovalStore {
  /**
   * Removes the jobs of each part, then records which of the deletion's claims the part covers. A deletion is completed
   * when all its claims are covered, whatever the size of its parts. Removing a part again changes nothing. A posting is
   * removed only if that deletion has claimed it.
   * A job whose version differs from the one recorded at acceptance is kept, and can be claimed again.
   */
  removeJobs(parts: readonly RemovalPart[], atMs: number): Promise<RemovalAnswer>;
}

export interface RemovalAnswer {
  /** The parts that don't fit the record. The call did nothing for them. */
  readonly refused: readonly RefusedPart[];
  /** How many jobs this call has removed. */
  readonly removed: number;
  /**
   * The deletions of the parts that are completed now, each once, by this call or an earlier one. A process that dies
   * before it acts on this answer gets the deletion again with the redelivered part.
   */
  readonly completed: readonly DeletionKey[];
  /** Claims of the parts' deletions whose jobs are kept, by this call or an earlier one. Missing if there are none. */
  readonly kept?: readonly string[];
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

/** An undefined account id stands for all accounts: for operators only. */
export interface ReceiptStore {
  /** Reads the ids and the claims of all jobs as well: up to a megabyte. Prefer findReceipt. */
  findDeletion(deletionId: string, accountId: string | undefined): Promise<Deletion | undefined>;
  /** Does not read the jobs. */
  findReceipt(deletionId: string, accountId: string | undefined): Promise<DeletionReceipt | undefined>;
  /**
   * Reads nothing but the states.
   * @returns a state for each of the deletions, in their order; undefined if the account does not have the deletion
   */
  findStates(deletions: readonly DeletionKey[]): Promise<(DeletionState | undefined)[]>;
  /** Newest first. Does not read the jobs. */
  listDeletions(query: ListDeletionsQuery): Promise<ReceiptPage>;
  /**
   * Deletes completed deletions, whose claims are on jobs that no longer exist. Deletes fewer than `maxDeletions` if
   * these have many jobs.
   * @returns how many were found: several callers may find the same ones, and nothing is left when none is found
   */
  expireReceipts(completedBeforeMs: number, maxDeletions: number): Promise<number>;
}

export interface DeletionKey {
  readonly deletionId: string;
  readonly accountId: string;
}

export interface ReceiptPage {
  readonly deletions: readonly DeletionReceipt[];
  readonly next: PagePosition | undefined;
}

export interface ListDeletionsQuery {
  readonly accountId: string | undefined;
  readonly state: DeletionState | undefined;
  readonly pageSize: number;
  readonly after: PagePosition | undefined;
}

/** What an audit compares, in pages of bounded size, each by an index: for operators only, of all accounts. */
export interface AuditStore {
  /** Not completed and accepted before the time, the longest due first. One leased meanwhile may come twice. */
  openDeletions(acceptedBeforeMs: number): AsyncIterable<readonly OpenDeletion[]>;
  /** Completed from the one time to the other, both included, the first completed first. */
  completedDeletions(fromMs: number, toMs: number): AsyncIterable<readonly CompletedDeletion[]>;
}

export interface OpenDeletion {
  readonly id: string;
  readonly accountId: string;
  readonly state: Exclude<DeletionState, 'completed'>;
  readonly jobCount: number;
  readonly acceptedAtMs: number;
  readonly publishedAtMs: number | undefined;
  readonly dueAtMs: number;
}

export interface CompletedDeletion {
  readonly id: string;
  readonly accountId: string;
  /** As it was accepted. */
  readonly jobCount: number;
  readonly completedAtMs: number;
  /** How many jobs the record names, with their claims. */
  readonly recordedJobs: number;
  /** How many of its claims are on record as removed. A deletion of one part may record none. */
  readonly coveredJobs: number;
  /** How many of the postings that it has claimed are there all the same. */
  readonly jobsLeft: number;
}

export interface JobStore {
  /** Adds what the account does not have yet, all or none of the call, and leaves the rest untouched. */
  importJobs(
    accountId: string,
    jobs: readonly JobPosting[],
    atMs: number,
  ): Promise<{ readonly imported: number; readonly existing: number }>;
  findJob(accountId: string, jobId: string): Promise<Job | undefined>;
  /** Of all accounts where accountId is undefined. Claimed jobs count until they are gone. */
  countJobs(accountId: string | undefined): Promise<number>;
}

export interface JobPosting {
  readonly id: string;
  /** What else the record held; kept and shown, never looked at. */
  readonly posting: Readonly<Record<string, unknown>>;
}

export interface Job extends JobPosting {
  readonly accountId: string;
  readonly importedAtMs: number;
  /** The deletion that has claimed it. */
  readonly deletionId: string | undefined;
}
