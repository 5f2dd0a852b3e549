import { firstByWeight } from '@jobs-delete/runtime/batching/groups';
import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { RequestOrigin } from '../deletion.ts';
import type { Cancellation, DeletionKey, LeasedKey, LeaseQuery, Outbox, OutboxStates } from '../store.ts';
import type { prepareReceipts } from './receipts.ts';
import { deletionColumns, readDeletionRow, type DeletionRow } from './schema.ts';

export function prepareOutbox(database: Sqlite) {
  const findDue = database
    .prepare(
      `SELECT seq, job_count FROM deletions
       WHERE due_at_ms BETWEEN ? AND ? AND account_id NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at_ms, seq LIMIT ?`,
    )
    .raw();
  const read = database.prepare(`SELECT ${deletionColumns} FROM deletions WHERE seq = ?`).raw();
  // The end of a wait: the deletion can't be cancelled any more.
  const begin = "state = CASE state WHEN 'waiting' THEN 'accepted' ELSE state END";
  const lease = database.prepare(`UPDATE deletions SET due_at_ms = ?, ${begin} WHERE seq = ?`);
  const findOpen = database
    .prepare(
      `SELECT seq FROM deletions
       WHERE id IN (SELECT value FROM json_each(?)) AND state IN ('waiting', 'accepted', 'published')`,
    )
    .raw();
  const publish = database.prepare(
    `UPDATE deletions
     SET state = 'published', published_at_ms = ?, due_at_ms = ?, publications = publications + 1
     WHERE id IN (SELECT value FROM json_each(?)) AND state IN ('accepted', 'published')
       AND due_at_ms IN (SELECT value FROM json_each(?))`,
  );
  const setDue = database.prepare(
    `UPDATE deletions SET due_at_ms = ?
     WHERE id IN (SELECT value FROM json_each(?)) AND state IN ('accepted', 'published')`,
  );
  const release = database.prepare(
    "UPDATE deletions SET due_at_ms = 0 WHERE state IN ('accepted', 'cancelled') AND due_at_ms IS NOT NULL",
  );
  const measure = database
    .prepare(
      `SELECT count(*), min(since_ms) FROM (
         SELECT coalesce(removal_at_ms, accepted_at_ms) AS since_ms FROM deletions
         WHERE due_at_ms IS NOT NULL AND state = ? ORDER BY due_at_ms LIMIT ?)`,
    )
    .raw();

  const leaseOne = (seq: number, untilMs: number) => {
    lease.run(untilMs, seq);
    return readDeletionRow(read.get(seq) as DeletionRow);
  };

  return {
    leaseDue: database.transaction((query: LeaseQuery) => {
      const { nowMs, fromMs, untilMs, maxDeletions, maxJobs, exceptAccounts } = query;
      const due = findDue.all(fromMs, nowMs, JSON.stringify(exceptAccounts), maxDeletions) as DueRow[];
      return firstByWeight(due, ([, jobCount]) => jobCount, maxJobs).map(([seq]) => leaseOne(seq, untilMs));
    }).immediate,
    leaseOpen: database.transaction((deletions: readonly DeletionKey[], untilMs: number) =>
      (findOpen.all(idsOf(deletions)) as [number][]).map(([seq]) => leaseOne(seq, untilMs)),
    ).immediate,
    markPublished: (leased: readonly LeasedKey[], atMs: number, nextDueAtMs: number) => {
      const leaseEndsMs = new Set(leased.map(({ leasedUntilMs }) => leasedUntilMs));
      publish.run(atMs, nextDueAtMs, idsOf(leased), JSON.stringify([...leaseEndsMs]));
    },
    postpone: (deletions: readonly DeletionKey[], dueAtMs: number) => {
      setDue.run(dueAtMs, idsOf(deletions));
    },
    releaseLeases: () => {
      release.run();
    },
    measureOutbox: (maxDeletions = 10_000): OutboxStates => {
      const measureState = (state: 'accepted' | 'published'): Outbox => {
        const [depth, oldestAtMs] = measure.get(state, maxDeletions) as [number, number | null];
        return { depth, oldestAtMs: oldestAtMs ?? undefined };
      };
      return { accepted: measureState('accepted'), published: measureState('published') };
    },
  };
}

type DueRow = [seq: number, jobCount: number];

type FindReceipt = ReturnType<typeof prepareReceipts>['findReceipt'];

export function prepareCancel(database: Sqlite, findReceipt: FindReceipt, now = Date.now) {
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
        const receipt = findReceipt(deletionId, accountId);
        if (receipt === undefined) return { kind: 'not-found' };
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
      end.run(now(), idsOf(keys));
    },
  };
}

function idsOf(deletions: readonly DeletionKey[]): string {
  return JSON.stringify(deletions.map(({ deletionId }) => deletionId));
}
