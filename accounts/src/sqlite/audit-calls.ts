import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { AuditAction, AuditEntry, AuditQuery } from '../people/audit-trail.ts';

type AuditRow = [
  id: string,
  accountId: string,
  atMs: number,
  action: AuditAction,
  actor: string,
  subject: string | null,
  network: string | null,
];

/** Runs a change, and records it if it has changed something, in one transaction. */
export type Recording = <Outcome>(
  entry: AuditEntry | undefined,
  change: () => Outcome,
  hasChanged: (outcome: Outcome) => boolean,
) => Outcome;

export function createRecording(database: Sqlite): Recording {
  const { recordAction } = auditCalls(database);
  const run = database.transaction((work: () => unknown) => work());
  return <Outcome>(
    entry: AuditEntry | undefined,
    change: () => Outcome,
    hasChanged: (outcome: Outcome) => boolean,
  ) =>
    run.immediate(() => {
      const outcome = change();
      if (entry !== undefined && hasChanged(outcome)) recordAction(entry);
      return outcome;
    }) as Outcome;
}

export function auditCalls(database: Sqlite) {
  const columns = 'id, account_id, at_ms, action, actor, subject, network';
  const add = database.prepare(`INSERT INTO audit_entries (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const newestFirst = 'ORDER BY at_ms DESC, id DESC LIMIT ?';
  const first = database
    .prepare(`SELECT ${columns} FROM audit_entries WHERE account_id = ? ${newestFirst}`)
    .raw();
  const next = database
    .prepare(
      `SELECT ${columns} FROM audit_entries WHERE account_id = ? AND (at_ms, id) < (?, ?) ${newestFirst}`,
    )
    .raw();
  return {
    recordAction: ({ id, accountId, atMs, action, actor, subject, network }: AuditEntry) => {
      add.run([id, accountId, atMs, action, actor, subject ?? null, network ?? null]);
    },
    listActions: ({ accountId, pageSize, after }: AuditQuery) => {
      const rows = after
        ? next.all([accountId, after.atMs, after.id, pageSize])
        : first.all([accountId, pageSize]);
      return (rows as AuditRow[]).map(toEntry);
    },
  };
}

function toEntry([id, accountId, atMs, action, actor, subject, network]: AuditRow): AuditEntry {
  return {
    id,
    accountId,
    atMs,
    action,
    actor,
    ...(subject !== null && { subject }),
    ...(network !== null && { network }),
  };
}
