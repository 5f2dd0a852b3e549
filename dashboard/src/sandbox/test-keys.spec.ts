import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listBothKinds } from '../keys/key-state.ts';
import { fieldOf } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { formatMinute } from '../web/time.tsx';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test.each([
  ['en', 'UTC', '3 Sept 00:08'],
  ['fr', 'Europe/Paris', '3 sept. 02:08'],
  ['es', 'America/Bogota', '2 sept 19:08'],
] as const)('the time in the name of a test key is that of the person: %s, %s', (language, zone, text) => {
  expect(formatMinute(Date.UTC(2026, 8, 3, 0, 8), language, zone)).toBe(text);
});

test('each test key has a name of its own, so that its token and its secret key are a pair', async () => {
  const manager = await dashboard.signIn('acme', 'manager');
  // A key has the name of this minute already, also if the next one begins meanwhile.
  for (let minute = 0; minute < 10; minute += 1)
    await dashboard.accounts.addCredential({
      kind: 'token',
      id: String(minute).padStart(24, '0'),
      accountId: 'acme',
      name: `Sandbox test ${formatMinute(Date.now() + minute * 60_000, 'en', 'UTC')}`,
      createdAtMs: 1,
      environment: 'sandbox',
      hash: Buffer.alloc(32, minute),
    });
  const firstForm = { once: fieldOf(await manager.get('/sandbox'), 'once') };
  const forms = [firstForm, { once: fieldOf(await manager.get('/sandbox'), 'once') }, firstForm];
  for (const form of forms) {
    const { status, text } = await manager.post('/sandbox/keys', form);
    expect([
      status,
      /name="secretKey".*No page shows them again\. They are valid until <time .*name="origin"/s.test(text),
    ]).toEqual([200, true]);
  }
  const keys = (await listBothKinds(dashboard.accounts, 'acme')).filter(({ createdAtMs }) => createdAtMs > 1);
  expect(keys).toHaveLength(4);
  expect(new Set(keys.map(({ name }) => name)).size).toBe(2);
  for (const { kind, id, name } of keys) {
    expect(name).toMatch(/^Sandbox test \d+ \w+ \d\d:\d\d \(\d\)$/);
    const { text } = await manager.get(`/keys/${kind}/${id}/revoke`);
    const other = keys.find((key) => key.name === name && key.kind !== kind);
    expect(text).toContain(`<input type="hidden" name="pair" value="${other?.id ?? ''}"`);
  }
});
