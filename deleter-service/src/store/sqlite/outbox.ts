import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Outbox } from '../store.ts';
import { firstJobs } from '../first-jobs.ts';
import { deletionColumns, readDeletionRow, type DeletionRow } from './deletion-row.ts';

export function prepareOutbox(database: Sqlite) {
  const findDue = database
    .prepare('SELECT seq, job_count FROM deletions WHERE due_at_ms <= ? ORDER BY due_at_ms, seq LIMIT ?')
    .raw();
  const read = database.prepare(`SELECT ${deletionColumns} FROM deletions WHERE seq = ?`).raw();
  const lease = database.prepare('UPDATE deletions SET due_at_ms = ? WHERE seq = ?');
  const publish = database.prepare(
    `UPDATE deletions
     SET state = 'published', published_at_ms = ?, due_at_ms = ?, publications = publications + 1
     WHERE id IN (SELECT value FROM json_each(?)) AND state <> 'completed'`,
  );
  const release = database.prepare(
    "UPDATE deletions SET due_at_ms = 0 WHERE state = 'accepted' AND due_at_ms IS NOT NULL",
  );
  const measure = database
    .prepare(
      `SELECT count(*), min(accepted_at_ms) FROM (
         SELECT accepted_at_ms FROM deletions
         WHERE due_at_ms IS NOT NULL AND state = 'accepted' ORDER BY due_at_ms LIMIT ?)`,
    )
    .raw();

  return {
    leaseDue: database.transaction(
      (nowMs: number, untilMs: number, maxDeletions: number, maxJobs?: number) => {
        const due = findDue.all(nowMs, maxDeletions) as [seq: number, jobCount: number][];
        return firstJobs(due, ([, jobCount]) => jobCount, maxJobs ?? Infinity).map(([seq]) => {
          lease.run(untilMs, seq);
          return readDeletionRow(read.get(seq) as DeletionRow);
        });
      },
    ).immediate,
    markPublished: (deletionIds: readonly string[], atMs: number, nextDueAtMs: number) => {
      publish.run(atMs, nextDueAtMs, JSON.stringify(deletionIds));
    },
    releaseLeases: () => {
      release.run();
    },
    measureOutbox: (maxDeletions = 10_000): Outbox => {
      const [depth, oldestAtMs] = measure.get(maxDeletions) as [number, number | null];
      return { depth, oldestAtMs: oldestAtMs ?? undefined };
    },
  };
}
