import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { acceptedDeletion, missingAmong, outcomeOfRecord, outcomeOfUsedKey } from '../accept-outcomes.ts';
import type { AcceptOutcome, AcceptRequest } from '../store.ts';
import { deletionColumns, readDeletionRow, type DeletionRow } from './schema.ts';
import type { prepareUsage } from './rules.ts';

type UsageCalls = ReturnType<typeof prepareUsage>;

/** Accepts all requests in one short transaction. Each request is checked before its first write: none is undone. */
export function prepareAcceptDeletions(database: Sqlite, { begin }: Pick<UsageCalls, 'begin'>) {
  const findById = database.prepare(`SELECT ${deletionColumns} FROM deletions WHERE id = ?`).raw();
  const findByKey = database
    .prepare(`SELECT ${deletionColumns} FROM deletions WHERE account_id = ? AND idempotency_key = ?`)
    .raw();
  const insert = database.prepare(
    `INSERT INTO deletions (id, account_id, job_ids, job_count, claims, state, accepted_at_ms, due_at_ms, removal_at_ms, idempotency_key, origin)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const claim = database.prepare(
    'UPDATE jobs SET claimed_by = ? WHERE seq IN (SELECT value FROM json_each(?))',
  );
  /** A claim or null for each id, as JSON: reading one row for each id would take four times as long. */
  const findUnclaimed = database
    .prepare(
      `SELECT json_group_array(jobs.seq ORDER BY wanted.key) FROM json_each(?) AS wanted
       LEFT JOIN jobs ON jobs.account_id = ? AND jobs.id = wanted.value AND jobs.claimed_by IS NULL`,
    )
    .raw();

  const accept = (request: AcceptRequest, usage: ReturnType<UsageCalls['begin']>): AcceptOutcome => {
    const { deletionId, accountId, jobIds, idempotencyKey } = request;
    if (!request.dryRun) {
      const row = findById.get(deletionId) as DeletionRow | undefined;
      if (row !== undefined) return outcomeOfRecord(readDeletionRow(row), request);
      const used = findByKey.get(accountId, idempotencyKey ?? null) as DeletionRow | undefined;
      if (used !== undefined) return outcomeOfUsedKey(readDeletionRow(used), request);
    }
    const jobIdsJson = JSON.stringify(jobIds);
    const [claimsJson] = findUnclaimed.get(jobIdsJson, accountId) as [string];
    const claims = JSON.parse(claimsJson) as (number | null)[];
    if (claims.includes(null))
      return {
        kind: 'jobs-not-found',
        positions: missingAmong(jobIds, (_id, position) => claims[position] === null),
      };
    const exceeded = usage.check(request);
    if (exceeded !== undefined) return { kind: 'limit-exceeded', ...exceeded };
    if (request.dryRun) return { kind: 'would-be-accepted' };
    const { lastInsertRowid } = insert.run(
      deletionId,
      accountId,
      jobIdsJson,
      jobIds.length,
      claimsJson,
      request.removalAtMs === undefined ? 'accepted' : 'waiting',
      request.acceptedAtMs,
      request.dueAtMs,
      request.removalAtMs ?? null,
      idempotencyKey ?? null,
      JSON.stringify(request.origin),
    );
    claim.run(lastInsertRowid, claimsJson);
    usage.add(request);
    return { kind: 'accepted', deletion: acceptedDeletion(request, claims.map(String)) };
  };

  return database.transaction((requests: readonly AcceptRequest[]) => {
    const usage = begin();
    const outcomes = requests.map((request) => accept(request, usage));
    usage.write();
    return outcomes;
  }).immediate;
}
