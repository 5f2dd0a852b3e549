import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inviteTo } from '../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startTestDashboard();
  await dashboard.accounts.addAccount({ id: 'acme', name: 'Acme <Staffing>', createdAtMs: 1 });
});
afterAll(() => dashboard.stop());

const english = { 'Accept-Language': 'en' };
const named = '<strong><bdi>Acme &lt;Staffing></bdi></strong><span class="second one-line">acme</span>';

test('each page has the display name of its account, with the id beneath', async () => {
  const member = await dashboard.signIn('acme', 'viewer');
  const { text } = await member.get('/profile', english);
  expect(text).toContain(`<span class="one-line" title="Acme &lt;Staffing> (acme)">Account ${named}</span>`);
});

test('an account without a display name has its id alone', async () => {
  const member = await dashboard.signIn('plain', 'viewer');
  const { text } = await member.get('/profile', english);
  expect(text).toContain(
    '<span class="one-line" title="plain">Account <strong><bdi>plain</bdi></strong></span>',
  );
});

test('the invitation, and the choice of accounts after it, have the display name', async () => {
  const member = await dashboard.signIn('home', 'viewer');
  const link = await inviteTo(dashboard, 'acme', 'ada@acme.example');
  const invitation = (await member.get(link, english)).text;
  expect(invitation).toContain('invites you to the account Acme &lt;Staffing> (acme) as an owner.');
  expect(invitation).toContain('The account Acme &lt;Staffing> (acme) shows you as ada@acme.example.');
  await member.post(link);
  const { text } = await member.get('/a/home/profile', english);
  expect(text).toContain('aria-label="Account home"><span class="one-line">home</span>');
  expect(text).toContain(`title="Acme &lt;Staffing> (acme)"><span class="one-line">${named}</span>`);
  const other = (await member.get('/a/acme/profile', english)).text;
  expect(other).toContain('aria-label="Account Acme &lt;Staffing> (acme)"');
});
