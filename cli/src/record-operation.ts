import type { Accounts } from '@jobs-delete/accounts/accounts';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { newAuditEntry, operator } from '@jobs-delete/accounts/people/new-audit-entry';
import type { Io } from './io.ts';

/** Records an action of the command line in the account's audit trail, after the action has succeeded. */
export async function recordOperation(
  accounts: Accounts,
  { now }: Io,
  operation: Pick<AuditEntry, 'accountId' | 'action' | 'subject'>,
): Promise<void> {
  await accounts.recordAction(newAuditEntry({ ...operation, actor: operator }, now()));
}
