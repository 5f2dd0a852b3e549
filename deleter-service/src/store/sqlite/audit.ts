import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Called } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import { countCovered, type ClaimRange } from '../removed-parts.ts';
import type { AuditStore, CompletedDeletion, OpenDeletion } from '../store.ts';

export interface OpenRow extends Omit<OpenDeletion, 'publishedAtMs' | 'removalAtMs'> {
  readonly seq: number;
  readonly removalAtMs: number | null;
  readonly publishedAtMs: number | null;
}

export interface CompletedRow extends Omit<CompletedDeletion, 'coveredJobs'> {
  readonly seq: number;
  readonly removedParts: string;
}

const openPageSize = 1_000;
/** Small, because the audit reads all jobs of each deletion. */
const completedPageSize = 100;

/** Prepares one statement a page. Each page starts after the end of the one before. */
export function prepareAudit(database: Sqlite) {
  const open = database.prepare(
    `SELECT seq, id, account_id AS accountId, state, job_count AS jobCount, accepted_at_ms AS acceptedAtMs,
       published_at_ms AS publishedAtMs, removal_at_ms AS removalAtMs, due_at_ms AS dueAtMs
     FROM deletions WHERE due_at_ms >= ?1 AND (due_at_ms > ?1 OR seq > ?2) AND accepted_at_ms < ?3
       AND (state IN ('accepted', 'published') OR due_at_ms < ?3)
     ORDER BY due_at_ms, seq LIMIT ${String(openPageSize)}`,
  );
  // CROSS JOIN and NOT INDEXED: read the claims first, then each job by its primary key.
  const completed = database.prepare(
    `SELECT seq, id, account_id AS accountId, job_count AS jobCount, completed_at_ms AS completedAtMs,
       min(json_array_length(job_ids), json_array_length(claims)) AS recordedJobs,
       removed_parts AS removedParts,
       (SELECT count(*) FROM json_each(deletions.claims) AS claim CROSS JOIN jobs NOT INDEXED
        ON jobs.seq = claim.value WHERE jobs.account_id = deletions.account_id) AS jobsLeft
     FROM deletions WHERE completed_at_ms >= ? AND (completed_at_ms > ? OR seq > ?) AND completed_at_ms <= ?
       AND state = 'completed'
     ORDER BY completed_at_ms, seq LIMIT ${String(completedPageSize)}`,
  );

  return {
    readOpen: (dueAtMs: number, afterSeq: number, acceptedBeforeMs: number) =>
      open.all(dueAtMs, afterSeq, acceptedBeforeMs) as OpenRow[],
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
        ({ seq, dueAtMs: atMs } = last);
      }
    },
    async *completedDeletions(fromMs, toMs) {
      for (let [atMs, seq] = [fromMs, 0]; ;) {
        const rows = await pages.readCompleted(atMs, seq, toMs);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(toCompletedDeletion);
        ({ seq, completedAtMs: atMs } = last);
      }
    },
  };
}

function toOpenDeletion({ seq: _, publishedAtMs, removalAtMs, ...row }: OpenRow): OpenDeletion {
  return { ...row, removalAtMs: removalAtMs ?? undefined, publishedAtMs: publishedAtMs ?? undefined };
}

function toCompletedDeletion({ seq: _, removedParts, ...row }: CompletedRow): CompletedDeletion {
  const coveredJobs = countCovered(JSON.parse(removedParts) as ClaimRange[], row.jobCount);
  return { ...row, coveredJobs };
}
