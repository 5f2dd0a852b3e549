import { randomBytes } from 'node:crypto';
import type { AuditAction, AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import type { MemberVisit } from './route.ts';

/** Returns the entry of the audit trail for what a member has done. */
export function auditEntry(
  visit: Pick<MemberVisit, 'accountId' | 'person' | 'network' | 'nowMs'>,
  action: AuditAction,
  subject?: string,
): AuditEntry {
  return {
    id: randomBytes(12).toString('hex'),
    accountId: visit.accountId,
    atMs: visit.nowMs,
    action,
    actor: visit.person.email,
    network: visit.network,
    ...(subject !== undefined && { subject }),
  };
}
