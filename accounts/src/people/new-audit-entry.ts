import type { AuditEntry } from './audit-trail.ts';
import { newId } from './new-id.ts';

/** The actor of every action on the command line. */
export const operator = 'operator';

/** Returns an entry with a new id. The method that makes the change stores it. */
export function newAuditEntry(action: Omit<AuditEntry, 'id' | 'atMs'>, atMs: number): AuditEntry {
  return { ...action, id: newId(), atMs };
}
