import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { inviteTo } from '../testing/enrol.ts';
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

test('an owner who leaves another account than that of the session reads so, and nobody else is named', async () => {
  const owner = await dashboard.signIn('leaver', 'owner');
  const guest = await dashboard.signIn('home', 'viewer');
  const link = await inviteTo(dashboard, owner.session.accountId, guest.email, 'owner');
  await guest.get(link);
  await guest.post(link);
  await guest.post('/account', { account: 'home' });
  const { target = '' } = await guest.post(`/a/leaver/people/${guest.person.id}/remove`);
  expect(target).toMatch(/^\/a\/home\/overview\?/);
  expect(noticeOf((await guest.get(target)).text)).toBe('You are no longer a member of the other account.');
});

test('no link and no form for settings makes a notice appear', async () => {
  const viewer = await dashboard.signIn('forged', 'viewer');
  const next = '/a/forged/keys?notice=key-revoked';
  const links = [
    await viewer.get(`/sign-in?next=${encodeURIComponent(next)}`),
    await viewer.post('/settings', { language: 'en', next }),
  ];
  for (const { target = '' } of links) {
    expect(target).toBe('/a/forged/keys');
    expect(noticeOf((await viewer.get(target)).text)).toBeUndefined();
  }
});
