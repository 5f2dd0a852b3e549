import { parseJson } from '@jobs-delete/runtime/text/safe-text';
import type { Deletion, DeletionReceipt, DeletionState } from './deletion.ts';
import type { DeletionKey } from './store.ts';

/** An undefined account id means all accounts, and is for operators only. */
export interface ReceiptStore {
  /** Reads the ids and claims of all jobs too, up to a megabyte. Prefer findReceipt. */
  findDeletion(deletionId: string, accountId: string | undefined): Promise<Deletion | undefined>;
  /** Does not read the jobs. Like findDeletion, sees no state that a failover can undo. */
  findReceipt(deletionId: string, accountId: string | undefined): Promise<DeletionReceipt | undefined>;
  /** Returns the state for each key, in their order, also of repeated ones; undefined if the account does not have the deletion. */
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

const maxExaminedDeletions = 2_000;
const maxExaminedJobs = 200_000;

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

export function formatPageToken(position: PagePosition): string {
  return Buffer.from(JSON.stringify([position.acceptedAtMs, position.id])).toString('base64url');
}

/** Returns undefined if formatPageToken did not create the token. */
export function parsePageToken(token: string): PagePosition | undefined {
  const value = parseJson(Buffer.from(token, 'base64url').toString());
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [acceptedAtMs, id] = value as unknown[];
  return typeof acceptedAtMs === 'number' && typeof id === 'string' ? { acceptedAtMs, id } : undefined;
}

/** How much a page may examine. `jobs` is undefined if it examines no ids. */
export interface MostExamined {
  readonly deletions: number;
  readonly jobs: number | undefined;
}

/** Returns undefined if an index finds the deletions of the page, or for all accounts. */
export function mostExamined(query: ListDeletionsQuery): MostExamined | undefined {
  const { accountId, state, jobId, tokenId, idempotencyKey, maxExamined = maxExaminedDeletions } = query;
  const isFiltered = state !== undefined || jobId !== undefined || tokenId !== undefined;
  if (accountId === undefined || idempotencyKey !== undefined || !isFiltered) return undefined;
  return {
    deletions: maxExamined,
    jobs: jobId === undefined ? undefined : (query.maxJobs ?? maxExaminedJobs),
  };
}

/** Returns a function that gets the deletions of a page in their order, and returns true for the last one to examine. */
export function endOfExamined(most: MostExamined & { readonly jobs: number }): (jobCount: number) => boolean {
  let [deletions, jobs] = [0, 0];
  return (jobCount) => {
    deletions += 1;
    jobs += jobCount;
    return deletions >= most.deletions || jobs >= most.jobs;
  };
}

/**
 * @param found the page and one more deletion, if there is one
 * @param lastExamined undefined if the page examined all older deletions
 */
export function pageOf(
  found: readonly DeletionReceipt[],
  pageSize: number,
  lastExamined: PagePosition | undefined,
): ReceiptPage {
  const deletions = found.slice(0, pageSize);
  const last = deletions.at(-1);
  const isFull = found.length > pageSize && last !== undefined;
  return { deletions, next: isFull ? { acceptedAtMs: last.acceptedAtMs, id: last.id } : lastExamined };
}
