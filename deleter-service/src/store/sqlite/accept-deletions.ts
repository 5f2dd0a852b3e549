import type { Sqlite } from '@jobs-delete/runtime/open-sqlite';
import { acceptedDeletion, outcomeOfUsedKey, unavailableAmong } from '../accept-outcomes.ts';
import type { AcceptOutcome, AcceptRequest, UnavailableJobs } from '../store.ts';
import { deletionColumns, readDeletionRow, type DeletionRow } from './deletion-row.ts';

/** One short transaction for all the requests; each checks before it writes, so that none needs to be undone. */
export function prepareAcceptDeletions(database: Sqlite) {
  const findByKey = database
    .prepare(`SELECT ${deletionColumns} FROM deletions WHERE account_id = ? AND idempotency_key = ?`)
    .raw();
  const insert = database.prepare(
    `INSERT INTO deletions (id, account_id, job_ids, job_count, claims, state, accepted_at_ms, due_at_ms, idempotency_key, origin)
     VALUES (?, ?, ?, ?, ?, 'accepted', ?, ?, ?, ?)`,
  );
  const claim = database.prepare(
    'UPDATE jobs SET claimed_by = ? WHERE seq IN (SELECT value FROM json_each(?))',
  );
  const findUnclaimed = prepareFindUnclaimed(database);

  const accept = (request: AcceptRequest): AcceptOutcome => {
    const { accountId, jobIds, idempotencyKey } = request;
    if (idempotencyKey !== undefined) {
      const row = findByKey.get(accountId, idempotencyKey) as DeletionRow | undefined;
      if (row !== undefined) return outcomeOfUsedKey(readDeletionRow(row), jobIds);
    }
    const jobIdsJson = JSON.stringify(jobIds);
    const unclaimed = findUnclaimed(accountId, jobIdsJson);
    if (unclaimed.length < jobIds.length) {
      return { kind: 'jobs-unavailable', unavailable: unavailable(jobIds, unclaimed) };
    }
    const claims = unclaimed.map(([, seq]) => seq);
    const claimsJson = JSON.stringify(claims);
    const { lastInsertRowid } = insert.run(
      request.deletionId,
      accountId,
      jobIdsJson,
      jobIds.length,
      claimsJson,
      request.acceptedAtMs,
      request.dueAtMs,
      idempotencyKey ?? null,
      JSON.stringify(request.origin),
    );
    claim.run(lastInsertRowid, claimsJson);
    return { kind: 'accepted', deletion: acceptedDeletion(request, claims.map(String)) };
  };

  return database.transaction((requests: readonly AcceptRequest[]) => requests.map(accept)).immediate;
}

export function prepareFindUnavailable(database: Sqlite) {
  const findUnclaimed = prepareFindUnclaimed(database);
  return (accountId: string, jobIds: readonly string[]): UnavailableJobs =>
    unavailable(jobIds, findUnclaimed(accountId, JSON.stringify(jobIds)));
}

function prepareFindUnclaimed(database: Sqlite) {
  const find = database
    .prepare(
      `SELECT wanted.key, jobs.seq FROM json_each(?) AS wanted
       CROSS JOIN jobs ON jobs.account_id = ? AND jobs.id = wanted.value AND jobs.claimed_by IS NULL
       ORDER BY wanted.key`,
    )
    .raw();
  return (accountId: string, jobIdsJson: string) =>
    find.all(jobIdsJson, accountId) as [position: number, seq: number][];
}

function unavailable(
  jobIds: readonly string[],
  unclaimed: readonly [position: number, seq: number][],
): UnavailableJobs {
  const available = new Set(unclaimed.map(([position]) => position));
  return unavailableAmong(jobIds, (_id, position) => !available.has(position));
}
