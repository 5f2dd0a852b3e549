import type { DeletionReceipt } from './deletion.ts';
import {
  maxExaminedDeletions,
  maxExaminedJobs,
  type ListDeletionsQuery,
  type PagePosition,
  type ReceiptPage,
} from './store.ts';

export function formatPageToken(position: PagePosition): string {
  return Buffer.from(JSON.stringify([position.acceptedAtMs, position.id])).toString('base64url');
}

/** Returns undefined if formatPageToken did not create the token. */
export function parsePageToken(token: string): PagePosition | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [acceptedAtMs, id] = value as unknown[];
    return typeof acceptedAtMs === 'number' && typeof id === 'string' ? { acceptedAtMs, id } : undefined;
  } catch {
    return undefined;
  }
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
