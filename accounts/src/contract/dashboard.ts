import { auditCases } from './audit.ts';
import type { ContractContext } from './accounts.fixture.ts';
import { oneTimeSecretCases } from './one-time-secrets.ts';
import { passkeyCases } from './passkeys.ts';
import { earlierInvitationCases } from './earlier-invitations.ts';
import { joiningCases } from './joining.ts';
import { peopleCases } from './people.ts';
import { refusalCases, refusedRequestCases } from './refusals.ts';
import { sessionCases } from './sessions.ts';

export function dashboardCases(context: ContractContext): void {
  peopleCases(context);
  joiningCases(context);
  earlierInvitationCases(context);
  passkeyCases(context);
  sessionCases(context);
  oneTimeSecretCases(context);
  auditCases(context);
  refusalCases(context);
  refusedRequestCases(context);
}
