import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { DashboardConfig } from '@jobs-delete/dashboard/config';
import { demoAccountId } from './seed-demo.ts';

const lifetimeMs = 24 * 3_600_000;

/** Always the same person: each start of the service finds it. It has no passkey, so only the operator's link signs it in. */
const demoOwnerId = 'de00000000000000000000de';

/** Returns the operator's link: it signs in to the demo account once, as its owner. @throws Fault */
export async function createDemoSignIn(
  config: Pick<DashboardConfig, 'database'>,
  dashboardUrl: string,
): Promise<string> {
  const accounts = await openAccounts(config.database);
  try {
    const secret = newSecret();
    await accounts.addPerson(demoOwner());
    await accounts.addOneTimeSecret({
      kind: 'sign-in',
      hash: hashSecret(secret),
      expiresAtMs: Date.now() + lifetimeMs,
      data: { accountId: demoAccountId, personId: demoOwnerId },
    });
    return `${dashboardUrl}/link/${secret}`;
  } finally {
    await accounts.close();
  }
}

function demoOwner(): Person {
  const membership = { accountId: demoAccountId, role: 'owner', email: 'owner@demo.example' } as const;
  return { id: demoOwnerId, createdAtMs: Date.now(), memberships: [membership], passkeys: [] };
}
