import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Cancellation, DeletionKey } from '../store.ts';
import type { RequestOrigin } from '../deletion.ts';
import { readReceiptRow, receiptColumns, type ReceiptRow } from './schema.ts';

export function prepareCancel(database: Sqlite, now = Date.now) {
  const find = database
    .prepare(`SELECT ${receiptColumns} FROM deletions WHERE id = ? AND account_id = ?`)
    .raw();
  // NOT INDEXED: search by primary key, don't scan the account's jobs.
  const free = database.prepare(
    `UPDATE jobs NOT INDEXED SET claimed_by = NULL
     FROM deletions, json_each(deletions.claims) AS claim
     WHERE deletions.id = ? AND jobs.seq = claim.value AND jobs.claimed_by = deletions.seq`,
  );
  const cancel = database.prepare(
    `UPDATE deletions SET state = 'cancelled', cancelled_at_ms = ?, cancel_origin = ?, due_at_ms = ?, claims = '[]' WHERE id = ?`,
  );
  const end = database.prepare(
    `UPDATE deletions SET completed_at_ms = ?, due_at_ms = NULL, publications = publications + 1
     WHERE id IN (SELECT value FROM json_each(?)) AND state = 'cancelled' AND due_at_ms IS NOT NULL`,
  );

  return {
    cancelDeletion: database.transaction(
      ({ deletionId, accountId }: DeletionKey, atMs: number, origin: RequestOrigin): Cancellation => {
        const row = find.get(deletionId, accountId) as ReceiptRow | undefined;
        if (row === undefined) return { kind: 'not-found' };
        const receipt = readReceiptRow(row);
        if (receipt.state === 'cancelled') return { kind: 'cancelled', receipt };
        if (receipt.state !== 'waiting') return { kind: 'not-cancellable' };
        free.run(deletionId);
        cancel.run(atMs, JSON.stringify(origin), atMs, deletionId);
        return {
          kind: 'cancelled',
          receipt: { ...receipt, state: 'cancelled', cancelledAtMs: atMs, cancelOrigin: origin },
        };
      },
    ).immediate,
    endCancelled: (keys: readonly DeletionKey[]) => {
      end.run(now(), JSON.stringify(keys.map(({ deletionId }) => deletionId)));
    },
  };
}
