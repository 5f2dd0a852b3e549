import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { mostExamined, pageOf } from '../deletion-pages.ts';
import type { ListDeletionsQuery, PagePosition, ReceiptPage } from '../store.ts';
import { readReceiptRow, receiptColumns, type ReceiptRow } from './deletion-row.ts';

export function listDeletions(database: Sqlite, query: ListDeletionsQuery): ReceiptPage {
  const lastExamined = findLastExamined(database, query);
  const { state, jobId, tokenId, idempotencyKey, pageSize } = query;
  const { where, select } = inRange(database, query);
  if (state !== undefined) where('state = ?', state);
  if (jobId !== undefined) where('EXISTS (SELECT 1 FROM json_each(job_ids) WHERE value = ?)', jobId);
  if (tokenId !== undefined) where("origin ->> 'tokenId' = ?", tokenId);
  if (idempotencyKey !== undefined) where('idempotency_key = ?', idempotencyKey);
  if (lastExamined !== undefined)
    where('(accepted_at_ms, id) >= (?, ?)', lastExamined.acceptedAtMs, lastExamined.id);
  const rows = select(receiptColumns, 'LIMIT ?', pageSize + 1) as ReceiptRow[];
  return pageOf(rows.map(readReceiptRow), pageSize, lastExamined);
}

/** Reads only the index. Returns undefined if the page may examine all older deletions. */
function findLastExamined(database: Sqlite, query: ListDeletionsQuery): PagePosition | undefined {
  const examined = mostExamined(query);
  if (examined === undefined) return undefined;
  const { select } = inRange(database, query);
  const [last] = select('accepted_at_ms, id', 'LIMIT 1 OFFSET ?', examined - 1) as [number, string][];
  return last && { acceptedAtMs: last[0], id: last[1] };
}

/** Selects from the deletions of the account and time that are older than the previous page, newest first. */
function inRange(database: Sqlite, { accountId, acceptedFromMs, acceptedToMs, after }: ListDeletionsQuery) {
  const conditions = ['1'];
  const values: (string | number)[] = [];
  const where = (condition: string, ...bound: (string | number)[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (accountId !== undefined) where('account_id = ?', accountId);
  if (acceptedFromMs !== undefined) where('accepted_at_ms >= ?', acceptedFromMs);
  if (acceptedToMs !== undefined) where('accepted_at_ms < ?', acceptedToMs);
  if (after !== undefined) where('(accepted_at_ms, id) < (?, ?)', after.acceptedAtMs, after.id);
  const select = (columns: string, limit: string, count: number): unknown[] =>
    database
      .prepare(
        `SELECT ${columns} FROM deletions WHERE ${conditions.join(' AND ')}
         ORDER BY accepted_at_ms DESC, id DESC ${limit}`,
      )
      .raw()
      .all(...values, count);
  return { where, select };
}
