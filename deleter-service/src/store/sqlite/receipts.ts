import type { Sqlite } from '@jobs-delete/runtime/open-sqlite';
import type { Deletion } from '../../deletion/deletion.ts';
import type { ListDeletionsQuery } from '../store.ts';
import { deletionColumns, readDeletionRow, type DeletionRow } from './deletion-row.ts';

export function prepareReceipts(database: Sqlite) {
  const find = database.prepare(`SELECT ${deletionColumns} FROM deletions WHERE id = ?`).raw();
  const findOfAccount = database
    .prepare(`SELECT ${deletionColumns} FROM deletions WHERE id = ? AND account_id = ?`)
    .raw();
  const expire = database.prepare(
    'DELETE FROM deletions WHERE seq IN (SELECT seq FROM deletions WHERE completed_at_ms < ? LIMIT ?)',
  );

  return {
    findDeletion: (deletionId: string, accountId: string | undefined): Deletion | undefined => {
      // Another account's deletion is not even read: it must take no longer to refuse than none.
      const row = accountId === undefined ? find.get(deletionId) : findOfAccount.get(deletionId, accountId);
      return row === undefined ? undefined : readDeletionRow(row as DeletionRow);
    },
    listDeletions: (query: ListDeletionsQuery) => listDeletions(database, query),
    expireReceipts: (completedBeforeMs: number, maxDeletions: number): number =>
      expire.run(completedBeforeMs, maxDeletions).changes,
  };
}

function listDeletions(database: Sqlite, { accountId, state, pageSize, after }: ListDeletionsQuery) {
  const conditions = ['1'];
  const values: (string | number)[] = [];
  const where = (condition: string, ...bound: (string | number)[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (accountId !== undefined) where('account_id = ?', accountId);
  if (state !== undefined) where('state = ?', state);
  if (after !== undefined) where('(accepted_at_ms, id) < (?, ?)', after.acceptedAtMs, after.id);
  const rows = database
    .prepare(
      `SELECT ${deletionColumns} FROM deletions WHERE ${conditions.join(' AND ')}
       ORDER BY accepted_at_ms DESC, id DESC LIMIT ?`,
    )
    .raw()
    .all(...values, pageSize + 1) as DeletionRow[];
  const deletions = rows.slice(0, pageSize).map(readDeletionRow);
  const last = deletions.at(-1);
  const next = rows.length > pageSize && last ? { acceptedAtMs: last.acceptedAtMs, id: last.id } : undefined;
  return { deletions, next };
}
