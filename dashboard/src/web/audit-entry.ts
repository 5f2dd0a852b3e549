import { type AuditAction, type AuditEntry, newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import type { MemberVisit } from './route.ts';

/**
 * Returns the entry of the audit trail for what a member does. A change by the deleter has no transaction with it, so the entry
 * comes first: a change without its entry is worse than an entry without its change.
 */
export function auditEntry(
  { accountId, email, network, nowMs }: Pick<MemberVisit, 'accountId' | 'email' | 'network' | 'nowMs'>,
  action: AuditAction,
  subject?: string,
): AuditEntry {
  return newAuditEntry(
    { accountId, action, actor: email, network, ...(subject !== undefined && { subject }) },
    nowMs,
  );
}
