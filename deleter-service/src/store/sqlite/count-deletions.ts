import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { CountDeletionsQuery, DeletionCounts } from '../store.ts';

type CountRow = [deletions: number, completed: number, jobsAccepted: number, jobsRemoved: number];

export function prepareCountDeletions(database: Sqlite) {
  const count = database
    .prepare(
      `SELECT count(*), total(state = 'completed'), total(job_count), total(job_count * (state = 'completed'))
       FROM deletions WHERE account_id = ? AND accepted_at_ms >= ? AND accepted_at_ms < ?`,
    )
    .raw();
  return ({ accountId, fromMs, toMs }: CountDeletionsQuery): DeletionCounts => {
    const [deletions, completed, jobsAccepted, jobsRemoved] = count.get(accountId, fromMs, toMs) as CountRow;
    return { deletions, completed, jobsAccepted, jobsRemoved };
  };
}
