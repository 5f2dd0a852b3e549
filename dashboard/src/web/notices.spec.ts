import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

/** Returns the notice of a page without its tags. */
const noticeOf = (html: string) =>
  /<p class="notice" role="status">(.*?)<\/p>/
    .exec(html)?.[1]
    ?.replaceAll(/<[^>]*>/g, '')
    .trim();

test('a notice names its own change, not that of another tab', async () => {
  const manager = await dashboard.signIn('tabs', 'manager');
  const allow = async (domain: string) => (await manager.post('/domains/new', { domain })).target ?? '';
  const first = await allow('one.example');
  const second = await allow('two.example');
  expect(noticeOf((await manager.get(first)).text)).toBeUndefined();
  expect(noticeOf((await manager.get(second)).text)).toBe('The domain is allowed: two.example.');
});

test('a notice does not name a change that failed after its entry in the trail', async () => {
  const manager = await dashboard.signIn('failing', 'manager');
  const { target = '' } = await manager.post('/domains/new', { domain: 'one.example' });
  const [entry] = await dashboard.accounts.listActions({ accountId: 'failing', pageSize: 1 });
  if (entry === undefined) throw new Error('the trail is empty');
  const failed = newAuditEntry({ ...entry, subject: 'two.example' }, entry.atMs + 1);
  await dashboard.accounts.recordAction(failed);
  expect(noticeOf((await manager.get(target)).text)).toBe('The domain is allowed: one.example.');
});
