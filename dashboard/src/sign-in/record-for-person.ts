import type { AuditAction, AuditTrail } from '@jobs-delete/accounts/people/audit-trail';
import type { Person } from '@jobs-delete/accounts/people/people';
import { auditEntry } from '../web/audit-entry.ts';
import type { Visit } from '../web/route.ts';

/** Records an action that concerns a person in each of their accounts: a sign-in opens them all. */
export async function recordForPerson(
  accounts: AuditTrail,
  visit: Pick<Visit, 'network' | 'nowMs'>,
  person: Person,
  action: AuditAction,
  subject?: string,
): Promise<void> {
  const { network, nowMs } = visit;
  await Promise.all(
    person.memberships.map(({ accountId }) =>
      accounts.recordAction(auditEntry({ accountId, person, network, nowMs }, action, subject)),
    ),
  );
}
