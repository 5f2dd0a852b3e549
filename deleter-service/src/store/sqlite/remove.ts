import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import {
  noSuchDeletion,
  notBegun,
  rangeInRecord,
  countCovered,
  toRecordedPart,
  type RecordedPart,
} from '../removed-parts.ts';
import type { DeletionState } from '../deletion.ts';
import type { DeletionKey, RefusedPart, RemovalAnswer, RemovalPart } from '../store.ts';

type Row = [seq: number, state: DeletionState, removedParts: string, claims: string];

interface RemovedPart {
  /** How many jobs were removed. */
  readonly jobs: number;
  readonly isCompleted: boolean;
}

/** Removes the jobs of all parts and records the parts in one transaction. */
export function prepareRemoveJobs(database: Sqlite) {
  const find = database
    .prepare('SELECT seq, state, removed_parts, claims FROM deletions WHERE id = ? AND account_id = ?')
    .raw();
  // NOT INDEXED: search by primary key, don't scan the account's jobs (https://www.sqlite.org/lang_indexedby.html).
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

  /** Returns the reason if the part is refused. */
  const removePart = (part: RemovalPart, atMs: number): RemovedPart | string => {
    const row = find.get(part.deletionId, part.accountId) as Row | undefined;
    if (row === undefined) return noSuchDeletion;
    const [seq, state, removedParts, claimsJson] = row;
    if (state === 'waiting' || state === 'cancelled') return notBegun[state];
    const claims = (JSON.parse(claimsJson) as number[]).map(String);
    const range = rangeInRecord(claims, part);
    if (range === undefined) return noSuchDeletion;
    if (state === 'completed') return { jobs: 0, isCompleted: true };
    const { changes } = remove.run(JSON.stringify(part.claims.map(Number)), part.accountId, seq);
    const recorded = JSON.parse(removedParts) as RecordedPart[];
    const covered = countCovered(recorded, claims.length);
    const extended = [...recorded, toRecordedPart(range, claims.length)];
    const coveredNow = countCovered(extended, claims.length);
    const removedJson = coveredNow > covered ? JSON.stringify(extended) : removedParts;
    const isCompleted = coveredNow === claims.length;
    if (isCompleted) complete.run(atMs, removedJson, seq);
    else record.run(removedJson, seq);
    return { jobs: changes, isCompleted };
  };

  return database.transaction((parts: readonly RemovalPart[], atMs: number): RemovalAnswer => {
    let removed = 0;
    const refused: RefusedPart[] = [];
    const completed = new Map<string, DeletionKey>();
    for (const [index, part] of parts.entries()) {
      const { deletionId, accountId } = part;
      const answer = removePart(part, atMs);
      if (typeof answer === 'string') {
        refused.push({ index, reason: answer });
        continue;
      }
      removed += answer.jobs;
      if (answer.isCompleted) completed.set(deletionId, { deletionId, accountId });
    }
    return { refused, removed, completed: [...completed.values()] };
  }).immediate;
}
