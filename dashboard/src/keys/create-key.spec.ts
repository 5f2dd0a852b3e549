import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deriveKeys } from '../services.ts';
import { fieldOf, textOf } from '../testing/read-page.ts';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from '../testing/start-test-dashboard.ts';
import { openForm } from '../web/form-once.tsx';
import type { MemberVisit } from '../web/route.ts';
import { issueKeys } from './issue-key.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard({ PUBLIC_URL: 'https://api.example.com/v' })));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `create-${String((count += 1))}`;

async function create(browser: SignedInBrowser, choice: string, fields: Record<string, string> = {}) {
  const once = fieldOf(await browser.get('/keys/new'), 'once');
  const usual = { create: choice, name: 'shop', expiry: '90', environment: 'live' };
  return browser.post('/keys/new', { once, ...usual, ...fields });
}

const kinds = ['token', 'secret-key'] as const;
const listAll = async (account: string) =>
  (await Promise.all(kinds.map((kind) => dashboard.accounts.listCredentials(kind, account)))).flat();

test.each(kinds)('a manager creates a %s, which one page shows', async (kind) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, '*.example.com');
  const answer = await create(manager, kind);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const secret = textOf(answer, kind);
  expect(answer.text).toMatch(
    new RegExp(`id="${kind}">[^<]*</code></pre><button[^>]* data-copies="${kind}"`),
  );
  expect(answer.text).toMatch(
    /<button type="button" data-saved[^>]*>[^<]*<\/button><a class="button" href="[^"]*\/keys" hidden>/,
  );
  expect(answer.text).toMatch(/Only this page shows the [^.]* before you leave the page\.<\/p>/);

  const [key, ...others] = await dashboard.accounts.listCredentials(kind, account);
  expect(others).toEqual([]);
  expect(secret).toContain(`_${key?.id ?? ''}_`);
  expect(key).toMatchObject({ name: 'shop' });
  expect((key?.expiresAtMs ?? 0) - (key?.createdAtMs ?? 0)).toBeGreaterThan(89 * 86_400_000);
  expect((await manager.get('/keys')).text).not.toContain(secret);
  const trail = await dashboard.accounts.listActions({ accountId: account, pageSize: 10 });
  const subject = `${key?.id ?? ''} (shop)`;
  expect(trail).toMatchObject([{ action: `${kind}.created`, actor: manager.email, subject }]);
  expect(JSON.stringify(trail)).not.toContain(secret);
});

test('one form creates a token and a secret key, and every example has both', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, 'shop.example');
  const answer = await create(manager, 'both');
  expect(answer.status).toBe(200);
  expect(Buffer.byteLength(answer.text)).toBeLessThan(80_000);
  const keys = await listAll(account);
  expect(keys).toMatchObject([
    { kind: 'token', name: 'shop' },
    { kind: 'secret-key', name: 'shop' },
  ]);
  for (const { kind, id } of keys) expect(textOf(answer, kind)).toContain(`_${id}_`);
  for (const id of ['curl', 'javascript', 'python', 'php', 'csharp', 'java', 'go']) {
    const example = textOf(answer, id);
    for (const kind of kinds) expect(example).toContain(textOf(answer, kind));
    expect(example).toContain('https://api.example.com/v/v1-sandbox/json/jobs-delete');
    expect(example).toContain('https://shop.example');
    expect(example).not.toContain('YOUR_');
  }
  const trail = await dashboard.accounts.listActions({ accountId: account, pageSize: 10 });
  expect(trail.map(({ action }) => action).toSorted()).toEqual(['secret-key.created', 'token.created']);
});

test('a form that is sent again completes the pair of which a crash left the token only', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const once = fieldOf(await manager.get('/keys/new'), 'once');
  const fields = { once, name: 'shop', expiry: '90', environment: 'live' };
  const left = await manager.post('/keys/new', { ...fields, create: 'token' });
  const completed = await manager.post('/keys/new', { ...fields, create: 'both' });
  expect(textOf(completed, 'token')).toBe(textOf(left, 'token'));
  expect(textOf(completed, 'secret-key')).toMatch(/^jds_/);
  expect(await listAll(account)).toHaveLength(2);
});

test('the form offers first what the account lacks', async () => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const chosen = async () =>
    /name="create" value="([\w-]+)" checked/.exec((await manager.get('/keys/new')).text)?.[1];
  expect(await chosen()).toBe('both');
  await create(manager, 'token');
  expect(await chosen()).toBe('secret-key');
  await create(manager, 'secret-key', { environment: 'sandbox' });
  expect(await chosen()).toBe('secret-key');
  await create(manager, 'secret-key');
  expect(await chosen()).toBe('both');
});

test('the examples call the sandbox with the new key, and name what to replace', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, '*.example.com');
  const answer = await create(manager, 'secret-key');
  const curl = textOf(answer, 'curl');
  expect(curl).toContain("'https://api.example.com/v/v1-sandbox/json/jobs-delete'");
  expect(curl).toContain(`'Usersecretkey: ${textOf(answer, 'secret-key')}'`);
  expect(curl).toContain("'Authorization: Bearer YOUR_TOKEN'");
  expect(curl).toContain("'Origin: https://www.example.com'");
  expect(textOf(answer, 'client')).toContain("baseUrl: 'https://api.example.com/v'");
  expect(textOf(answer, 'client')).not.toContain(textOf(answer, 'secret-key'));
  expect(answer.text).toContain('Replace YOUR_TOKEN and NURSE001 with your own values.');
});

test.each([
  [['*.example.com'], '/docs/en?origin=https%3A%2F%2Fwww.example.com'],
  [[], '/docs/en'],
])(
  'the page of keys links to the documentation for an account with the domains %j',
  async (domains, path) => {
    const account = newAccount();
    const viewer = await dashboard.signIn(account, 'viewer');
    for (const domain of domains) await dashboard.accounts.allowDomain(account, domain);
    expect((await viewer.get('/keys')).text).toContain(`href="https://api.example.com/v${path}"`);
  },
);

test('a double click, a reload and a second tab create one pair, and show its secrets again in this session only', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const once = fieldOf(await manager.get('/keys/new'), 'once');
  const fields = { once, create: 'both', name: 'shop', expiry: 'never', environment: 'live' };
  const send = () => manager.post('/keys/new', fields);
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const kind of kinds) expect(new Set(answers.map((answer) => textOf(answer, kind))).size).toBe(1);
  const keys = await listAll(account);
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(key).not.toHaveProperty('expiresAtMs');

  const colleague = await dashboard.signIn(account, 'manager');
  const refused = [await colleague.post('/keys/new', fields)];
  await dashboard.accounts.revokeCredential(account, { kind: 'token', id: keys[0]?.id ?? '' }, 1);
  refused.push(await send());
  for (const { status, text } of refused) {
    expect(status).toBe(422);
    expect(text).not.toContain('jdt_');
    expect(text).toContain('value="shop"');
    expect(text).not.toContain(once);
  }
  expect(await dashboard.accounts.listCredentials('token', account)).toHaveLength(1);
});

test('two POSTs of a form that both find no key create one, and give the same secret', async () => {
  const account = newAccount();
  const { session, person, email } = await dashboard.signIn(account, 'manager');
  const { accounts } = dashboard;
  let looks = 0;
  let bothHaveLooked: () => void = () => undefined;
  const both = new Promise<void>((resolve) => (bothHaveLooked = resolve));
  const racing: typeof accounts = {
    ...accounts,
    findCredential: async (credential) => {
      const found = await accounts.findCredential(credential);
      looks += 1;
      if (looks === 2) bothHaveLooked();
      await both;
      return found;
    },
  };
  const pepper = createSecretKey(randomBytes(32));
  const services = { accounts: racing, keys: deriveKeys({ pepper }), pepper, now: () => Date.now() };
  const holder = { accountId: account, session, nowMs: Date.now() };
  const form = new URLSearchParams({ once: openForm(services, holder) });
  // Issuing a key reads no other part of the request.
  const visit = { ...holder, form, person, email, network: '192.0.2.1' } as MemberVisit;
  const never = { lifetimeMs: undefined, environment: undefined };
  const issue = () => issueKeys(services, visit, { kinds: ['token'], name: 'shop', ...never });
  const [first, second] = await Promise.all([issue(), issue()]);
  expect(first).toMatchObject({ keys: [{ secret: expect.stringMatching(/^jdt_/) as unknown }] });
  expect(second).toMatchObject(first);
  expect(await accounts.listCredentials('token', account)).toHaveLength(1);
});

test.each([
  { name: '' },
  { name: '   ' },
  { name: 'x'.repeat(101) },
  { name: 'a\u0000b' },
  { name: 'a\u202eb' },
  { name: 'a\u2066b' },
  { name: 'a\u200fb' },
  { name: 'a\u0085b' },
  { name: 'a\nb' },
  { expiry: '' },
  { expiry: '91' },
  { create: '' },
  { create: 'password' },
])('the form is shown again for %j', async (fields) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const answer = await create(manager, 'token', fields);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('class="problem"');
  expect(await dashboard.accounts.listCredentials('token', account)).toEqual([]);
  const once = fieldOf(answer, 'once');
  const corrected = { once, create: 'token', name: 'shop', expiry: '30', environment: 'live' };
  expect(await manager.post('/keys/new', corrected)).toMatchObject({ status: 200 });
});

test('a name with markup is shown as text', async () => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const name = '<script>alert("1")</script>';
  expect(await create(manager, 'token', { name })).toMatchObject({ status: 200 });
  const refused = await create(manager, 'token', { name, expiry: 'x' });
  for (const { text } of [refused, await manager.get('/keys')]) {
    expect(text).toContain('&lt;script>');
    expect(text).not.toContain('<script>');
  }
});

test.each(['Straße', 'clé d’Élodie', 'niño', '日本', 'e\u0301lan', '🙂'])(
  'the name %s is shown as it was typed',
  async (name) => {
    const manager = await dashboard.signIn(newAccount(), 'manager');
    expect(await create(manager, 'token', { name })).toMatchObject({ status: 200 });
    expect((await manager.get('/keys')).text).toContain(name);
  },
);

test('an account has at most 100 valid keys of a kind', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  for (let index = 0; index < 101; index += 1) {
    await dashboard.accounts.addCredential({
      kind: 'token',
      id: index.toString(16).padStart(24, '0'),
      accountId: account,
      name: `${String(index)} ${'n'.repeat(90)}`,
      createdAtMs: index,
      expiresAtMs: index === 0 ? 1 : Date.now() + 86_400_000,
      hash: Buffer.alloc(32),
    });
  }
  const [one = '', another = ''] = ['5', '6'].map((id) => id.padStart(24, '0'));
  const once = fieldOf(await manager.get('/keys/new'), 'once');
  const rotation = `/keys/token/${another}/rotate`;
  for (const refused of [
    await create(manager, 'token', { once }),
    await create(manager, 'both', { once }),
    await manager.post(rotation, { once }),
  ]) {
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('role="alert"');
    // The same form creates one key, however often it is sent.
    expect(fieldOf(refused, 'once')).toBe(once);
  }
  expect(await dashboard.accounts.listCredentials('secret-key', account)).toEqual([]);
  const list = await manager.get('/keys', { 'Accept-Language': 'fr' });
  expect(list.text).toContain('Les 101 jetons');
  const pages = [list, await manager.get('/keys/token'), await manager.get('/keys/token?page=3')];
  for (const { text, status } of pages) {
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThan(80_000);
  }
  expect(pages[2]?.text).toContain('Page 3 of 3');
  await dashboard.accounts.revokeCredential(account, { kind: 'token', id: one }, 1);
  expect(await create(manager, 'token')).toMatchObject({ status: 200 });
});

test('nothing offers the form to a viewer', async () => {
  const viewer = await dashboard.signIn(newAccount(), 'viewer');
  expect((await viewer.get('/keys')).text).not.toContain('/keys/new');
});

test('an id without its kind is no key', async () => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const { status, text } = await manager.get('/keys/password');
  expect([status, text]).toEqual([404, expect.stringContaining('Key not found')]);
});

test.each([
  ['en', 'Your new token'],
  ['fr', 'Votre nouveau jeton'],
  ['es', 'Su nuevo token'],
])('the pages speak the language %s', async (language, title) => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  await manager.post('/settings', { language, next: '/keys' });
  const answer = await create(manager, 'token');
  expect(answer.text).toContain(`<h1>${title}</h1>`);
  expect(answer.text).not.toContain('undefined');
});
