import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Called } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import {
  readJobPage,
  titleOf,
  type JobBatch,
  type Job,
  type JobPosting,
  type JobStore,
} from '../job-store.ts';

type JobRow = [posting: string, importedAtMs: number, deletionId: string | null];

export function prepareJobs(database: Sqlite) {
  const insert = database.prepare(
    `INSERT INTO jobs (account_id, id, posting, imported_at_ms)
     SELECT ?, value ->> 0, value -> 1, ? FROM json_each(?) WHERE true
     ON CONFLICT (account_id, id) DO NOTHING`,
  );
  const removeClaimed = database.prepare(
    `DELETE FROM jobs
     WHERE account_id = ? AND id IN (SELECT value ->> 0 FROM json_each(?)) AND claimed_by IS NOT NULL`,
  );
  const find = database
    .prepare(
      `SELECT jobs.posting, jobs.imported_at_ms, deletions.id
       FROM jobs LEFT JOIN deletions ON deletions.seq = jobs.claimed_by
       WHERE jobs.account_id = ? AND jobs.id = ?`,
    )
    .raw();
  const describe = database
    .prepare(
      `SELECT id, imported_at_ms, iif(json_type(posting, '$.title') = 'text', posting ->> '$.title', NULL) FROM jobs
       WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))`,
    )
    .raw();
  const list = database
    .prepare('SELECT id, claimed_by FROM jobs WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?')
    .raw();
  const countAll = database.prepare('SELECT count(*) FROM jobs').raw();
  const countOfAccount = database.prepare('SELECT count(*) FROM jobs WHERE account_id = ?').raw();

  return {
    importJobs: database.transaction((accountId: string, jobs: readonly JobPosting[], atMs: number) => {
      const records = JSON.stringify(jobs.map(({ id, posting }) => [id, posting]));
      removeClaimed.run(accountId, records);
      const imported = insert.run(accountId, atMs, records).changes;
      return { imported, existing: jobs.length - imported };
    }).immediate,
    findJob: (accountId: string, jobId: string): Job | undefined => {
      const row = find.get(accountId, jobId) as JobRow | undefined;
      if (row === undefined) return undefined;
      const posting = JSON.parse(row[0]) as Record<string, unknown>;
      return { id: jobId, accountId, posting, importedAtMs: row[1], deletionId: row[2] ?? undefined };
    },
    describeJobs: (
      accountId: string,
      jobIds: readonly string[],
    ): Awaited<ReturnType<JobStore['describeJobs']>> => {
      const rows = describe.all(accountId, JSON.stringify(jobIds)) as [string, number, string | null][];
      return new Map(rows.map(([id, importedAtMs, title]) => [id, { title: titleOf(title), importedAtMs }]));
    },
    countJobs: (accountId: string | undefined): number => {
      const row = accountId === undefined ? countAll.get() : countOfAccount.get(accountId);
      return (row as [number])[0];
    },
    readJobs: (accountId: string, after: string, size: number): JobBatch => {
      const rows = list.all(accountId, after, Math.min(size, maxJobsPerRead)) as [string, number | null][];
      const unclaimed = rows.filter(([, claimedBy]) => claimedBy === null).map(([id]) => id);
      return { unclaimed, jobs: rows.length, last: rows.at(-1)?.[0] };
    },
  };
}

/** Other calls of the thread run between two reads. */
const maxJobsPerRead = 1_000;

export function listByBatches({
  readJobs,
}: Called<ReturnType<typeof prepareJobs>>): Pick<JobStore, 'listJobs'> {
  return {
    listJobs: (query) => readJobPage(query, async (after, size) => readJobs(query.accountId, after, size)),
  };
}
