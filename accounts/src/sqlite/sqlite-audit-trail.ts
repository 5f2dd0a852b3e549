import { entryFor, type AuditEntry, type AuditTrail } from '../people/audit-trail.ts';
import type { Calls, Statements } from './statements.ts';

/** Runs a change, and records it if it has changed something, in one transaction. */
export type Recording = <Outcome>(entry: AuditEntry | undefined, change: () => Outcome) => Outcome;

export function createRecording(sql: Statements): Recording {
  return (entry, change) =>
    sql.write(() => {
      const outcome = change();
      const recorded = entry && entryFor(outcome, entry);
      if (recorded !== undefined) sql.insert('audit_entries', { ...recorded });
      return outcome;
    });
}

export function auditCalls(sql: Statements): Calls<AuditTrail> {
  const list = `
    SELECT id, account_id, at_ms, action, actor, subject, network FROM audit_entries
    WHERE account_id = ? AND at_ms >= ? AND (at_ms, id) < (?, ?) ORDER BY at_ms DESC, id DESC LIMIT ?`;
  return {
    recordAction: (entry) =>
      sql.write(() => {
        if (sql.get('SELECT 1 FROM audit_entries WHERE id = ?', entry.id) !== undefined) return 'exists';
        sql.insert('audit_entries', { ...entry });
        return 'recorded';
      }),
    hasAction: (accountId, id) =>
      sql.get('SELECT 1 FROM audit_entries WHERE id = ? AND account_id = ?', id, accountId) !== undefined,
    listActions: ({ accountId, pageSize, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, after }) => {
      const end = after !== undefined && after.atMs < toMs ? after : { atMs: toMs, id: '' };
      return sql.all(list, accountId, fromMs, end.atMs, end.id, pageSize);
    },
  };
}
