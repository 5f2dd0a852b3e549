import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Deletion, DeletionReceipt, DeletionState } from '../deletion.ts';
import type { DeletionKey, ListDeletionsQuery, ReceiptPage } from '../store.ts';
import {
  deletionColumns,
  readDeletionRow,
  readReceiptRow,
  receiptColumns,
  type DeletionRow,
  type ReceiptRow,
} from './deletion-row.ts';

export function prepareReceipts(database: Sqlite) {
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
    expireReceipts: (completedBeforeMs: number, maxDeletions: number): number =>
      expire.run(completedBeforeMs, maxDeletions).changes,
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

function listDeletions(
  database: Sqlite,
  { accountId, state, jobId, idempotencyKey, acceptedFromMs, pageSize, after }: ListDeletionsQuery,
): ReceiptPage {
  const conditions = ['1'];
  const values: (string | number)[] = [];
  const where = (condition: string, ...bound: (string | number)[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (accountId !== undefined) where('account_id = ?', accountId);
  if (state !== undefined) where('state = ?', state);
  if (jobId !== undefined) where('EXISTS (SELECT 1 FROM json_each(job_ids) WHERE value = ?)', jobId);
  if (idempotencyKey !== undefined) where('idempotency_key = ?', idempotencyKey);
  if (acceptedFromMs !== undefined) where('accepted_at_ms >= ?', acceptedFromMs);
  if (after !== undefined) where('(accepted_at_ms, id) < (?, ?)', after.acceptedAtMs, after.id);
  const rows = database
    .prepare(
      `SELECT ${receiptColumns} FROM deletions WHERE ${conditions.join(' AND ')}
       ORDER BY accepted_at_ms DESC, id DESC LIMIT ?`,
    )
    .raw()
    .all(...values, pageSize + 1) as ReceiptRow[];
  const deletions = rows.slice(0, pageSize).map(readReceiptRow);
  const last = deletions.at(-1);
  const next = rows.length > pageSize && last ? { acceptedAtMs: last.acceptedAtMs, id: last.id } : undefined;
  return { deletions, next };
}
