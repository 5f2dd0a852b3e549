import { type AuditEntry, newAuditEntry, operator } from '@jobs-delete/accounts/people/audit-trail';
import type { Io } from './io.ts';

/** Returns the audit entry of an action of the command line. The method that makes the change stores it. */
export function operationEntry(
  { now }: Pick<Io, 'now'>,
  operation: Pick<AuditEntry, 'accountId' | 'action' | 'subject'>,
): AuditEntry {
  return newAuditEntry({ ...operation, actor: operator }, now());
}
