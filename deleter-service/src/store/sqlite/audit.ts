import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Called } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import { countCovered, type RecordedPart } from '../removed-parts.ts';
import type { AuditStore, CompletedDeletion, OpenDeletion } from '../store.ts';

type OpenRow = [
  seq: number,
  id: string,
  accountId: string,
  state: OpenDeletion['state'],
  jobCount: number,
  acceptedAtMs: number,
  publishedAtMs: number | null,
  dueAtMs: number,
];

type CompletedRow = [
  seq: number,
  id: string,
  accountId: string,
  jobCount: number,
  completedAtMs: number,
  recordedJobs: number,
  removedParts: string,
  jobsLeft: number,
];

const openPageSize = 1_000;
/** Small, because the audit reads all jobs of each deletion. */
const completedPageSize = 100;

/** Prepares one statement a page. Each page starts after the end of the one before. */
export function prepareAudit(database: Sqlite) {
  const open = database
    .prepare(
      `SELECT seq, id, account_id, state, job_count, accepted_at_ms, published_at_ms, due_at_ms
       FROM deletions WHERE due_at_ms >= ? AND (due_at_ms > ? OR seq > ?) AND accepted_at_ms < ?
       ORDER BY due_at_ms, seq LIMIT ${String(openPageSize)}`,
    )
    .raw();
  // CROSS JOIN and NOT INDEXED: read the claims first, then each job by its primary key.
  const completed = database
    .prepare(
      `SELECT seq, id, account_id, job_count, completed_at_ms,
         min(json_array_length(job_ids), json_array_length(claims)),
         removed_parts,
         (SELECT count(*) FROM json_each(deletions.claims) AS claim CROSS JOIN jobs NOT INDEXED
          ON jobs.seq = claim.value WHERE jobs.account_id = deletions.account_id)
       FROM deletions WHERE completed_at_ms >= ? AND (completed_at_ms > ? OR seq > ?) AND completed_at_ms <= ?
       ORDER BY completed_at_ms, seq LIMIT ${String(completedPageSize)}`,
    )
    .raw();

  return {
    readOpen: (dueAtMs: number, afterSeq: number, acceptedBeforeMs: number) =>
      open.all(dueAtMs, dueAtMs, afterSeq, acceptedBeforeMs) as OpenRow[],
    readCompleted: (completedAtMs: number, afterSeq: number, toMs: number) =>
      completed.all(completedAtMs, completedAtMs, afterSeq, toMs) as CompletedRow[],
  };
}

export function auditByPages(pages: Called<ReturnType<typeof prepareAudit>>): AuditStore {
  return {
    async *openDeletions(acceptedBeforeMs) {
      for (let [atMs, seq] = [0, 0]; ;) {
        const rows = await pages.readOpen(atMs, seq, acceptedBeforeMs);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(toOpenDeletion);
        [seq, atMs] = [last[0], last[7]];
      }
    },
    async *completedDeletions(fromMs, toMs) {
      for (let [atMs, seq] = [fromMs, 0]; ;) {
        const rows = await pages.readCompleted(atMs, seq, toMs);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(toCompletedDeletion);
        [seq, atMs] = [last[0], last[4]];
      }
    },
  };
}

function toOpenDeletion(row: OpenRow): OpenDeletion {
  const [, id, accountId, state, jobCount, acceptedAtMs, publishedAtMs, dueAtMs] = row;
  return { id, accountId, state, jobCount, acceptedAtMs, publishedAtMs: publishedAtMs ?? undefined, dueAtMs };
}

function toCompletedDeletion(row: CompletedRow): CompletedDeletion {
  const [, id, accountId, jobCount, completedAtMs, recordedJobs, removedParts, jobsLeft] = row;
  const coveredJobs = countCovered(JSON.parse(removedParts) as RecordedPart[], jobCount);
  return { id, accountId, jobCount, completedAtMs, recordedJobs, coveredJobs, jobsLeft };
}
