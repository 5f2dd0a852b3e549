import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Deletion, DeletionReceipt, DeletionState } from '../deletion.ts';
import {
  endOfExamined,
  mostExamined,
  pageOf,
  type CountDeletionsQuery,
  type ListDeletionsQuery,
  type PagePosition,
  type ReceiptPage,
  type StateCounts,
} from '../receipt-store.ts';
import type { DeletionKey } from '../store.ts';
import {
  deletionColumns,
  readDeletionRow,
  readReceiptRow,
  receiptColumns,
  type DeletionRow,
  type ReceiptRow,
} from './schema.ts';

export function prepareReceipts(database: Sqlite, now = Date.now) {
  const findDeletion = prepareFind(database, deletionColumns);
  const findReceipt = prepareFind(database, receiptColumns);
  const findStates = database
    .prepare(
      `SELECT deletions.state FROM json_each(?) AS wanted
       LEFT JOIN deletions ON deletions.id = wanted.value ->> 0 AND deletions.account_id = wanted.value ->> 1
       ORDER BY wanted.key`,
    )
    .raw();
  const expire = database.prepare(
    'DELETE FROM deletions WHERE seq IN (SELECT seq FROM deletions WHERE completed_at_ms < ? LIMIT ?)',
  );
  const countOf = (condition: string) =>
    database
      .prepare(
        `SELECT state, count(*), total(job_count) FROM deletions
         WHERE account_id = ? AND accepted_at_ms >= ? AND accepted_at_ms < ? ${condition} GROUP BY state`,
      )
      .raw();
  const [countAll, countOfToken] = [countOf(''), countOf("AND origin ->> 'tokenId' = ?")];

  return {
    findDeletion: (deletionId: string, accountId: string | undefined): Deletion | undefined => {
      const row = findDeletion(deletionId, accountId);
      return row === undefined ? undefined : readDeletionRow(row as DeletionRow);
    },
    findReceipt: (deletionId: string, accountId: string | undefined): DeletionReceipt | undefined => {
      const row = findReceipt(deletionId, accountId);
      return row === undefined ? undefined : readReceiptRow(row as ReceiptRow);
    },
    findStates: (keys: readonly DeletionKey[]): (DeletionState | undefined)[] => {
      const wanted = JSON.stringify(keys.map(({ deletionId, accountId }) => [deletionId, accountId]));
      return (findStates.all(wanted) as [DeletionState | null][]).map(([state]) => state ?? undefined);
    },
    listDeletions: (query: ListDeletionsQuery) => listDeletions(database, query),
    countDeletions: ({ accountId, fromMs, toMs, tokenId }: CountDeletionsQuery): StateCounts[] => {
      const range = [accountId, fromMs, toMs] as const;
      const rows = tokenId === undefined ? countAll.all(...range) : countOfToken.all(...range, tokenId);
      return (rows as [DeletionState, number, number][]).map(([state, deletions, jobs]) => ({
        state,
        deletions,
        jobs,
        keptJobs: 0,
      }));
    },
    expireReceipts: (retentionMs: number, maxDeletions: number): number =>
      expire.run(now() - retentionMs, maxDeletions).changes,
  };
}

/** Never reads another account's deletion: the time of a refusal must not reveal whether it exists. */
function prepareFind(database: Sqlite, columns: string) {
  const select = `SELECT ${columns} FROM deletions WHERE id = ?`;
  const find = database.prepare(select).raw();
  const findOfAccount = database.prepare(`${select} AND account_id = ?`).raw();
  return (deletionId: string, accountId: string | undefined): unknown =>
    accountId === undefined ? find.get(deletionId) : findOfAccount.get(deletionId, accountId);
}

function listDeletions(database: Sqlite, query: ListDeletionsQuery): ReceiptPage {
  const lastExamined = findLastExamined(database, query);
  const { state, jobId, tokenId, idempotencyKey, pageSize } = query;
  const { where, select } = inRange(database, query);
  if (state !== undefined) where('state = ?', state);
  if (jobId !== undefined) where('instr(job_ids, ?) > 0', JSON.stringify(jobId));
  if (tokenId !== undefined) where("origin ->> 'tokenId' = ?", tokenId);
  if (idempotencyKey !== undefined) where('idempotency_key = ?', idempotencyKey);
  if (lastExamined !== undefined)
    where('(accepted_at_ms, id) >= (?, ?)', lastExamined.acceptedAtMs, lastExamined.id);
  const rows = select(receiptColumns, 'LIMIT ?', pageSize + 1) as ReceiptRow[];
  return pageOf(rows.map(readReceiptRow), pageSize, lastExamined);
}

/** Returns undefined if the page may examine all older deletions. Reads only the index, except for a search by job. */
function findLastExamined(database: Sqlite, query: ListDeletionsQuery): PagePosition | undefined {
  const most = mostExamined(query);
  if (most === undefined) return undefined;
  const { deletions, jobs } = most;
  const { select } = inRange(database, query);
  if (jobs === undefined) {
    const [last] = select('accepted_at_ms, id', 'LIMIT 1 OFFSET ?', deletions - 1) as [number, string][];
    return last && { acceptedAtMs: last[0], id: last[1] };
  }
  const isLast = endOfExamined({ deletions, jobs });
  // By batches: SQLite reads all ids of a deletion to find the column after them.
  for (let first = 0; ; first += countedAtOnce) {
    const limit = `LIMIT ${String(countedAtOnce)} OFFSET ?`;
    const rows = select('accepted_at_ms, id, job_count', limit, first) as [number, string, number][];
    const last = rows.find(([, , jobCount]) => isLast(jobCount));
    if (last !== undefined) return { acceptedAtMs: last[0], id: last[1] };
    if (rows.length < countedAtOnce) return undefined;
  }
}

const countedAtOnce = 100;

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
