import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { acceptedDeletion, outcomeOfUsedKey, missingAmong } from '../accept-outcomes.ts';
import type { AcceptOutcome, AcceptRequest, MissingJobs } from '../store.ts';
import { deletionColumns, readDeletionRow, type DeletionRow } from './deletion-row.ts';

/** Accepts all requests in one short transaction. Each request is checked before its first write: none is undone. */
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
    const claimsJson = findUnclaimed(accountId, jobIdsJson);
    const claims = readClaims(claimsJson);
    if (claims.includes(null)) return { kind: 'jobs-not-found', missing: missing(jobIds, claims) };
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

export function prepareFindMissing(database: Sqlite) {
  const findUnclaimed = prepareFindUnclaimed(database);
  return (accountId: string, jobIds: readonly string[]): MissingJobs =>
    missing(jobIds, readClaims(findUnclaimed(accountId, JSON.stringify(jobIds))));
}

/** @returns a claim or null for each id, as JSON: reading one row for each id would take four times as long */
function prepareFindUnclaimed(database: Sqlite) {
  const find = database
    .prepare(
      `SELECT json_group_array(jobs.seq ORDER BY wanted.key) FROM json_each(?) AS wanted
       LEFT JOIN jobs ON jobs.account_id = ? AND jobs.id = wanted.value AND jobs.claimed_by IS NULL`,
    )
    .raw();
  return (accountId: string, jobIdsJson: string) => (find.get(jobIdsJson, accountId) as [string])[0];
}

function readClaims(claimsJson: string): readonly (number | null)[] {
  return JSON.parse(claimsJson) as (number | null)[];
}

function missing(jobIds: readonly string[], claims: readonly (number | null)[]): MissingJobs {
  return missingAmong(jobIds, (_id, position) => claims[position] === null);
}
