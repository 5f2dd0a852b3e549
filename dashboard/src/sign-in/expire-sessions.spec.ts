import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { expireSessions } from './expire-sessions.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('sessions without a request in 12 hours and expired links are removed', async () => {
  const { accounts } = dashboard;
  const hours = (count: number) => ({ lastSeenAtMs: Date.now() - count * 3_600_000 });
  const [used, unused] = [
    await dashboard.signIn('acme', 'viewer', hours(11)),
    await dashboard.signIn('acme', 'viewer', hours(13)),
  ];
  const link = (secret: string, expiresAtMs: number) =>
    accounts.addOneTimeSecret({ kind: 'invitation', hash: hashSecret(secret), expiresAtMs, data: {} });
  await link('valid', Date.now() + 60_000);
  await link('expired', Date.now() - 60_000);

  await expireSessions({ accounts, now: Date.now });

  expect(await accounts.findSession(used.session.hash)).toBeDefined();
  expect(await accounts.findSession(unused.session.hash)).toBeUndefined();
  // As of a time at which both links were valid.
  const find = (secret: string) => accounts.findOneTimeSecret('invitation', hashSecret(secret), 0);
  expect(await find('valid')).toBeDefined();
  expect(await find('expired')).toBeUndefined();
});
