import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('the list leads to the role of each member, and to the removal or the own leave', async () => {
  const owner = await dashboard.signIn('acme', 'owner');
  await dashboard.signIn('acme', 'owner');
  const { person } = await dashboard.signIn('acme', 'viewer');
  const { text } = await owner.get('/people', { 'Accept-Language': 'en' });
  const actions = [...text.matchAll(/href="\/a\/[\w-]+\/people\/(\w{24}(?:\/\w+)?)"[^>]*>([^<]+)</g)];
  expect(actions.map(([, path, name]) => `${path ?? ''} ${name ?? ''}`)).toEqual(
    expect.arrayContaining([
      `${owner.person.id} Change the role`,
      `${owner.person.id}/remove Leave`,
      `${person.id} Change the role`,
      `${person.id}/remove Remove`,
    ]),
  );
});

test('the list offers no action on the last owner, and says why', async () => {
  const owner = await dashboard.signIn('lone', 'owner');
  const { person } = await dashboard.signIn('lone', 'viewer');
  const { text } = await owner.get('/people', { 'Accept-Language': 'en' });
  expect(text).toContain('The last owner stays');
  expect(text).not.toContain(`/people/${owner.person.id}`);
  expect(text).toContain(`/people/${person.id}/remove`);
});

test('a table says what each role may do, also to screen readers', async () => {
  const viewer = await dashboard.signIn('abilities', 'viewer');
  const { text } = await viewer.get('/people', { 'Accept-Language': 'en' });
  const [, table = ''] = text.split('id="abilities"');
  const rows = [...table.matchAll(/<th scope="row">([^<]*)<\/th>(.*?)<\/tr>/gs)].map(
    ([, ability = '', cells = '']) => [ability, ...(cells.match(/(?<=aria-label=")\w+/g) ?? [])],
  );
  expect(rows).toHaveLength(6);
  expect(rows).toContainEqual(['See keys, domains, jobs and deletions', 'yes', 'yes', 'yes']);
  expect(rows).toContainEqual(['Delete jobs, cancel deletions', 'no', 'yes', 'yes']);
  expect(rows).toContainEqual(['Set the limit and the delay', 'no', 'no', 'yes']);
});

test('owners see the day on which a member last used the account', async () => {
  const owner = await dashboard.signIn('seen', 'owner');
  const manager = await dashboard.signIn('seen', 'manager');
  const lastSeenOf = async (email: string) => {
    const { text } = await owner.get('/people', { 'Accept-Language': 'en' });
    const [, row = ''] = text.split(`>${email}`);
    return /data-label="Last seen \(UTC\)">([^<]*)</.exec(row)?.[1];
  };
  expect(await lastSeenOf(manager.email)).toBe('–');
  expect((await owner.get('/people')).text).not.toContain('Only owners');
  await manager.get('/keys');
  expect(await lastSeenOf(manager.email)).toBe('today');
});

test.each(['viewer', 'manager'] as const)(
  'a %s sees addresses and roles, owners first, and nothing else',
  async (role) => {
    const owner = await dashboard.signIn(`team-${role}`, 'owner');
    const member = await dashboard.signIn(`team-${role}`, role);
    const { text } = await member.get('/people', { 'Accept-Language': 'en' });
    const cells = [...text.matchAll(/<t[hd] [^>]*role="(?:rowheader|cell)"[^>]*>([^<]*)</g)].map(
      ([, cell]) => cell,
    );
    const ofRole = { viewer: 'Viewer', manager: 'Manager' }[role];
    expect(cells).toEqual([owner.email, 'Owner', `${member.email} (you)`, ofRole]);
    expect(text).toContain('Only owners invite people and change roles.');
    expect(text).not.toMatch(/people\/\w|Pending invitations/);
    for (const path of ['/people/invite', `/people/${owner.person.id}`])
      expect((await member.get(path)).status).toBe(403);
  },
);
