import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fieldOf } from '../testing/read-page.ts';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `names-${String((count += 1))}`;

async function create(browser: SignedInBrowser, fields: Record<string, string>) {
  const once = fieldOf(await browser.get('/keys/new'), 'once');
  return browser.post('/keys/new', { once, create: 'token', expiry: '90', ...fields });
}

test('a name with markup is shown as text', async () => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const name = '<script>alert("1")</script>';
  expect(await create(manager, { name })).toMatchObject({ status: 200 });
  const refused = await create(manager, { name, expiry: 'x' });
  for (const { text } of [refused, await manager.get('/keys')]) {
    expect(text).toContain('&lt;script>');
    expect(text).not.toContain('<script>');
  }
});

test.each(['Straße', 'clé d’Élodie', 'niño', '日本', 'e\u0301lan', '🙂'])(
  'the name %s is shown as it was typed',
  async (name) => {
    const manager = await dashboard.signIn(newAccount(), 'manager');
    expect(await create(manager, { name })).toMatchObject({ status: 200 });
    expect((await manager.get('/keys')).text).toContain(name);
  },
);

test.each(['a\u202eb', 'a\u2066b', 'a\u200fb', 'a\u0085b', 'a\nb', 'a\0b'])(
  'the name %j creates no key',
  async (name) => {
    const account = newAccount();
    expect(await create(await dashboard.signIn(account, 'manager'), { name })).toMatchObject({
      status: 422,
    });
    expect(await dashboard.accounts.listCredentials('token', account)).toEqual([]);
  },
);
