import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { DashboardConfig } from '@jobs-delete/dashboard/config';
import { demoAccountId } from './seed-demo.ts';

const lifetimeMs = 24 * 3_600_000;

/** Returns a link that signs in to the demo account once, as its owner. @throws Fault */
export async function createDemoSignIn(
  config: Pick<DashboardConfig, 'database'>,
  dashboardUrl: string,
): Promise<string> {
  const accounts = await openAccounts(config.database);
  try {
    const secret = newSecret();
    await accounts.addOneTimeSecret({
      kind: 'sign-in',
      hash: hashSecret(secret),
      expiresAtMs: Date.now() + lifetimeMs,
      data: {
        accountId: demoAccountId,
        email: 'owner@demo.example',
        role: 'owner',
        invitedBy: 'operator',
      },
    });
    return `${dashboardUrl}/link/${secret}`;
  } finally {
    await accounts.close();
  }
}
