import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('the list leads to the role of each member, and to the removal or the own leave', async () => {
  const owner = await dashboard.signIn('acme', 'owner');
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
