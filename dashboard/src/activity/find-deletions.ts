import type { DeleterReads, DeletionsPage, DeletionsQuery } from '../deleter/deleter-reads.ts';
import type { Deletion } from '../deleter/deletion.ts';

/** Pages appear within 100 ms. A call that examines 2,000 deletions takes up to 20 ms. */
const maxCalls = 3;

/**
 * Returns a page of deletions. An answer of the deleter may have fewer than a page, because it examines a bounded number:
 * then this asks again, a few times. Returns undefined for an invalid page token.
 */
export async function findDeletions(
  deleter: Pick<DeleterReads, 'listDeletions'>,
  query: DeletionsQuery,
): Promise<DeletionsPage | undefined> {
  const deletions: Deletion[] = [];
  let { pageToken } = query;
  for (let call = 0; call < maxCalls; call++) {
    const pageSize = query.pageSize - deletions.length;
    const page = await deleter.listDeletions({ ...query, pageSize, pageToken });
    if (page === undefined) return undefined;
    deletions.push(...page.deletions);
    pageToken = page.nextPageToken;
    if (pageToken === undefined || deletions.length >= query.pageSize) break;
  }
  return { deletions, nextPageToken: pageToken };
}
