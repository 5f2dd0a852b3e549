import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { noSuchDeletion, notBegun, rangeInRecord, countCovered, type ClaimRange } from '../removed-parts.ts';
import type { DeletionState } from '../deletion.ts';
import type { RefusedPart, RemovalAnswer, RemovalPart, RemovedPart } from '../store.ts';

/** Each step is one transaction for all parts. */
export function prepareRemoval(database: Sqlite) {
  const find = database
    .prepare('SELECT seq, state, claims FROM deletions WHERE id = ? AND account_id = ?')
    .raw();
  // NOT INDEXED: search by primary key, don't scan the account's jobs (https://www.sqlite.org/lang_indexedby.html).
  const remove = database.prepare(
    `DELETE FROM jobs NOT INDEXED
     WHERE seq IN (SELECT value FROM json_each(?)) AND account_id = ? AND claimed_by = ?`,
  );
  const findOpen = database
    .prepare(
      "SELECT removed_parts FROM deletions WHERE id = ? AND account_id = ? AND state IN ('accepted', 'published')",
    )
    .raw();
  const cover = database.prepare('UPDATE deletions SET removed_parts = ? WHERE id = ?');
  const complete = database.prepare(
    `UPDATE deletions
     SET state = 'completed', completed_at_ms = ?, due_at_ms = NULL, publications = max(publications, 1) WHERE id = ?`,
  );

  /** Returns the reason if the part is refused. */
  const removePart = (part: RemovalPart) => {
    const { deletionId, accountId } = part;
    const row = find.get(deletionId, accountId) as
      [seq: number, state: DeletionState, claims: string] | undefined;
    if (row === undefined) return noSuchDeletion;
    const [seq, state, claimsJson] = row;
    if (state === 'waiting' || state === 'cancelled') return notBegun[state];
    const claims = (JSON.parse(claimsJson) as number[]).map(String);
    const range = rangeInRecord(claims, part);
    if (range === undefined) return noSuchDeletion;
    const { changes } = remove.run(JSON.stringify(part.claims.map(Number)), accountId, seq);
    return { jobs: changes, removed: { deletionId, accountId, ...range, claimCount: claims.length } };
  };

  const recordPart = (part: RemovedPart, atMs: number) => {
    const { deletionId, accountId, from, to, claimCount } = part;
    const row = findOpen.get(deletionId, accountId) as [removedParts: string] | undefined;
    if (row === undefined) return;
    const recorded = JSON.parse(row[0]) as ClaimRange[];
    const extended = [...recorded, { from, to }];
    const covered = countCovered(extended, claimCount);
    if (covered > countCovered(recorded, claimCount)) cover.run(JSON.stringify(extended), deletionId);
    if (covered === claimCount) complete.run(atMs, deletionId);
  };

  return {
    removeJobs: database.transaction((parts: readonly RemovalPart[]): RemovalAnswer => {
      const refused: RefusedPart[] = [];
      const removedParts: RemovedPart[] = [];
      let removed = 0;
      for (const [index, part] of parts.entries()) {
        const answer = removePart(part);
        if (typeof answer === 'string') refused.push({ index, reason: answer });
        else {
          removedParts.push(answer.removed);
          removed += answer.jobs;
        }
      }
      return { refused, parts: removedParts, removed };
    }).immediate,
    recordRemovals: database.transaction((parts: readonly RemovedPart[], atMs: number) => {
      for (const part of parts) recordPart(part, atMs);
    }).immediate,
  };
}
