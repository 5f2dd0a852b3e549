import type { DeletionReceipt } from './deletion.ts';
import type { PagePosition } from './page-token.ts';
import { maxExaminedDeletions, type ListDeletionsQuery, type ReceiptPage } from './store.ts';

/** Returns how many deletions a page may examine; undefined if an index finds its deletions, or for all accounts. */
export function mostExamined(query: ListDeletionsQuery): number | undefined {
  const { accountId, state, jobId, tokenId, idempotencyKey, maxExamined = maxExaminedDeletions } = query;
  const isFiltered = state !== undefined || jobId !== undefined || tokenId !== undefined;
  return accountId !== undefined && idempotencyKey === undefined && isFiltered ? maxExamined : undefined;
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
