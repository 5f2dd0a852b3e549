import type { DeletionReceipt } from './deletion.ts';
import {
  maxExaminedDeletions,
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
