import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Deletion, DeletionReceipt, DeletionState } from '../deletion.ts';
import type { DeletionKey, ListDeletionsQuery } from '../store.ts';
import { prepareCountDeletions } from './count-deletions.ts';
import {
  deletionColumns,
  readDeletionRow,
  readReceiptRow,
  receiptColumns,
  type DeletionRow,
  type ReceiptRow,
} from './deletion-row.ts';
import { listDeletions } from './list-deletions.ts';

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
    countDeletions: prepareCountDeletions(database),
    expireReceipts: (retentionMs: number, maxDeletions: number): number =>
      expire.run(Date.now() - retentionMs, maxDeletions).changes,
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
