import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { noSuchDeletion, rangeInRecord } from '../fits-record.ts';
import { countCovered, toRecordedPart, type RecordedPart } from '../removed-parts.ts';
import type { RefusedPart, RemovalPart } from '../store.ts';

/** One transaction for all the parts: the jobs are gone exactly when the part is recorded. */
export function prepareRemoveJobs(database: Sqlite) {
  const find = database
    .prepare('SELECT seq, state, removed_parts, claims FROM deletions WHERE id = ? AND account_id = ?')
    .raw();
  // NOT INDEXED: by the primary key, not through every job of the account (https://www.sqlite.org/lang_indexedby.html).
  const remove = database.prepare(
    `DELETE FROM jobs NOT INDEXED
     WHERE seq IN (SELECT value FROM json_each(?)) AND account_id = ? AND claimed_by = ?`,
  );
  const record = database.prepare('UPDATE deletions SET removed_parts = ? WHERE seq = ?');
  const complete = database.prepare(
    `UPDATE deletions
     SET state = 'completed', completed_at_ms = ?, due_at_ms = NULL, removed_parts = ?, publications = max(publications, 1)
     WHERE seq = ?`,
  );

  /** @returns how many jobs are gone by it, or undefined if the part does not fit the record */
  const removePart = (part: RemovalPart, atMs: number): number | undefined => {
    const row = find.get(part.deletionId, part.accountId) as [number, string, string, string] | undefined;
    if (row === undefined) return undefined;
    const [seq, state, removedParts, claimsJson] = row;
    const claims = (JSON.parse(claimsJson) as number[]).map(String);
    const range = rangeInRecord(claims, part);
    if (range === undefined) return undefined;
    if (state === 'completed') return 0;
    const { changes } = remove.run(JSON.stringify(part.claims.map(Number)), part.accountId, seq);
    const recorded = JSON.parse(removedParts) as RecordedPart[];
    const covered = countCovered(recorded, claims.length);
    const extended = [...recorded, toRecordedPart(range, claims.length)];
    const coveredNow = countCovered(extended, claims.length);
    const removedJson = coveredNow > covered ? JSON.stringify(extended) : removedParts;
    if (coveredNow < claims.length) record.run(removedJson, seq);
    else complete.run(atMs, removedJson, seq);
    return changes;
  };

  return database.transaction((parts: readonly RemovalPart[], atMs: number) => {
    let removed = 0;
    const refused = parts.flatMap((part, index): RefusedPart[] => {
      const jobs = removePart(part, atMs);
      removed += jobs ?? 0;
      return jobs === undefined ? [{ index, reason: noSuchDeletion }] : [];
    });
    return { refused, removed };
  }).immediate;
}
