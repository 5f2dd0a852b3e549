import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { fieldOf, textOf } from '../testing/read-page.ts';
import { formatDay } from '../web/time.tsx';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const dayMs = 86_400_000;
const newAccount = () => `rotate-${String((count += 1))}`;

async function addKey(accountId: string, fields: Partial<Credential> = {}): Promise<Credential> {
  const id = (count += 1).toString(16).padStart(24, '0');
  const key = { kind: 'token' as CredentialKind, id, accountId, name: 'shop', createdAtMs: 1, ...fields };
  await dashboard.accounts.addAccount({ id: accountId, createdAtMs: 1 });
  await dashboard.accounts.addCredential({ ...key, hash: Buffer.alloc(32, count) });
  return key;
}

test('an expired key is not rotated', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const { id } = await addKey(account, { expiresAtMs: 2 });
  const toItsPage = { status: 303, location: `/keys/token/${id}?notice=key-expired-already` };
  expect(await manager.get(`/keys/token/${id}/rotate`)).toMatchObject(toItsPage);
  const valid = await addKey(account);
  const once = fieldOf(await manager.get(`/keys/token/${valid.id}/rotate`), 'once');
  expect(await manager.post(`/keys/token/${id}/rotate`, { once })).toMatchObject(toItsPage);
  expect(await dashboard.accounts.listCredentials('token', account)).toHaveLength(2);
});

test('an expired form of a rotation creates nothing, and is open again', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const { id } = await addKey(account);
  const expired = await manager.post(`/keys/token/${id}/rotate`, { once: 'expired' });
  expect([expired.status, expired.text.includes('The form has expired')]).toEqual([422, true]);
  expect(await dashboard.accounts.listCredentials('token', account)).toHaveLength(1);
  expect((await manager.post(`/keys/token/${id}/rotate`, { once: fieldOf(expired, 'once') })).status).toBe(
    200,
  );
  expect(await dashboard.accounts.listCredentials('token', account)).toHaveLength(2);
});

test('a rotation creates a key like the old one, which stays valid until it is revoked', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const createdAtMs = Date.now() - 80 * dayMs;
  const old = await addKey(account, {
    kind: 'secret-key',
    createdAtMs,
    expiresAtMs: createdAtMs + 90 * dayMs,
  });
  await dashboard.accounts.recordUse([old], Date.UTC(2026, 0, 31, 12));
  const dayOf = () => formatDay(Date.now() + 90 * dayMs, 'en');
  const before = dayOf();
  const form = await manager.get(`/keys/secret-key/${old.id}/rotate`);
  expect(form.text).toMatch(
    new RegExp(`<dt>New secret key</dt><dd>Works at once, until (${before}|${dayOf()})`),
  );
  const end = formatDay(old.expiresAtMs ?? 0, 'en');
  expect(form.text).toContain(
    `<dt>Old secret key</dt><dd>Works until you revoke it, at the latest until ${end}`,
  );
  const once = fieldOf(form, 'once');
  const answer = await manager.post(`/keys/secret-key/${old.id}/rotate`, { once });
  expect(answer.status).toBe(200);
  expect(textOf(answer, 'secret-key')).toMatch(/^jds_/);
  expect(answer.text).toContain('31 Jan 2026, 12:00 UTC');
  expect(answer.text).toContain(`/keys/secret-key/${old.id}/revoke"`);

  const keys = await dashboard.accounts.listCredentials('secret-key', account);
  expect(keys).toHaveLength(2);
  expect(keys.every(({ name, revokedAtMs }) => name === 'shop' && revokedAtMs === undefined)).toBe(true);
  const [, added] = keys;
  const lifetimeMs = (added?.expiresAtMs ?? 0) - (added?.createdAtMs ?? 0);
  expect(Math.round(lifetimeMs / dayMs)).toBe(90);
  expect(answer.text).not.toContain('Another valid key has the name');
  const replaced = /Replaced [^.]*\. Last live use of the old key: [^;]*; of the new one: never\./;
  expect((await manager.get(`/keys/secret-key/${old.id}`)).text).toMatch(replaced);
  const viewer = await dashboard.signIn(account, 'viewer');
  const viewed = (await viewer.get(`/keys/secret-key/${old.id}`)).text;
  expect(viewed).toMatch(replaced);
  expect(viewed).not.toContain('Revoke');
  expect((await manager.get(`/keys/secret-key/${added?.id ?? ''}`)).text).not.toMatch(replaced);
  const again = await manager.post(`/keys/secret-key/${old.id}/rotate`, { once });
  expect(textOf(again, 'secret-key')).toBe(textOf(answer, 'secret-key'));
  expect(await dashboard.accounts.listCredentials('secret-key', account)).toHaveLength(2);
  const trail = await dashboard.accounts.listActions({ accountId: account, pageSize: 10 });
  const rotated = ['secret-key.rotated', `${old.id} → ${added?.id ?? ''} (shop)`];
  expect(trail.map(({ action, subject }) => [action, subject])).toEqual([rotated]);
});

test('the form of a revocation shows the last use, revokes once, and leads to the page of the key', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const key = await addKey(account);
  const path = `/keys/token/${key.id}/revoke`;
  const page = await manager.get(path);
  expect(page.text).toMatch(/<dt>Last live use<\/dt><dd>never<\/dd>/);
  expect(page.text).toContain(`${path}">`);

  const answers = [await manager.post(path), await manager.post(path)];
  for (const [index, notice] of ['key-revoked', 'key-revoked-already'].entries())
    expect(answers[index]).toMatchObject({ status: 303, location: `/keys/token/${key.id}?notice=${notice}` });
  const trail = await dashboard.accounts.listActions({ accountId: account, pageSize: 10 });
  expect(trail.map(({ action, subject }) => [action, subject])).toEqual([
    ['token.revoked', `${key.id} (shop)`],
  ]);
  expect(await dashboard.accounts.findCredential(key)).toHaveProperty('revokedAtMs');
  expect(await manager.get(path)).toMatchObject({ status: 303 });
  const done = await manager.get(answers[1]?.location ?? '');
  expect(done.text).toMatch(/role="status">This key is revoked already\..*<h1>Token “shop”<\/h1>/);
  // Once, and never by a link from elsewhere.
  for (const link of [`/keys/token/${key.id}?notice=key-revoked`, '/keys?notice=domain-allowed'])
    expect((await manager.get(link)).text).not.toContain('role="status"');
  expect(await manager.get(`/keys/token/${key.id}/rotate`)).toMatchObject({ status: 303 });
});

test('a key that was used in the last 7 days is revoked by its name only, and its page says by whom', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const revoke = async (lastUsedAtMs: number, names: readonly (string | undefined)[], fields = {}) => {
    const key = await addKey(account, { name: 'My  shop', lastUsedAtMs, ...fields });
    const path = `/keys/token/${key.id}/revoke`;
    const statuses = [];
    for (const name of names)
      statuses.push((await manager.post(path, name === undefined ? {} : { name })).status);
    return { statuses, page: await manager.get(path.replace('/revoke', ''), { 'Accept-Language': 'en' }) };
  };
  const { statuses, page } = await revoke(Date.now() - 6 * dayMs, [undefined, 'my shop', ' My shop ']);
  expect(statuses).toEqual([422, 422, 303]);
  expect(page.text).toMatch(
    new RegExp(
      `<dt>Revoked</dt><dd><time[^>]*>[^<]*</time><span class="second">${manager.email}</span></dd>`,
    ),
  );
  expect((await revoke(Date.now() - 8 * dayMs, [undefined])).statuses).toEqual([303]);
  // No program can use them.
  for (const fields of [{ pausedAtMs: 1 }, { expiresAtMs: 2 }])
    expect((await revoke(Date.now(), [undefined], fields)).statuses).toEqual([303]);
});

test.each([
  [
    'en',
    'It was used in the meantime: type its name to confirm.',
    'This does not match. Nothing was changed.',
  ],
  [
    'fr',
    'Une utilisation a eu lieu entre-temps\u202f: saisissez le nom pour confirmer.',
    'Le texte ne correspond pas. Rien n’a été modifié.',
  ],
  [
    'es',
    'Se ha usado entretanto: escriba el nombre para confirmar.',
    'El texto no coincide. No se ha cambiado nada.',
  ],
])('in %s, a refused revocation says: %s Or: %s', async (language, usedMeanwhile, mismatch) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await manager.post('/settings', { language, next: '/keys' });
  const key = await addKey(account, { lastUsedAtMs: Date.now() });
  const path = `/keys/token/${key.id}/revoke`;
  expect((await manager.get(path)).text).not.toContain('name-problem');
  for (const [fields, problem] of [
    // The key was idle when the form was opened.
    [{}, usedMeanwhile],
    [{ name: '' }, mismatch],
  ] as const) {
    const { status, text } = await manager.post(path, fields);
    expect([status, /id="name-problem">([^<]*)/.exec(text)?.[1]]).toEqual([422, problem]);
    expect(text).toMatch(/<input id="name"[^>]* autofocus/);
  }
});

test('the form of a revocation offers to pause a key instead, unless it is paused or has expired', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const offers = async (fields: Partial<Credential>) => {
    const page = `/keys/token/${(await addKey(account, fields)).id}`;
    const { text } = await manager.get(`${page}/revoke`);
    return [text.includes(`${page}/pause"`), text.includes('you can resume the key later')];
  };
  expect(await offers({})).toEqual([true, true]);
  expect(await offers({ pausedAtMs: 1 })).toEqual([false, false]);
  expect(await offers({ expiresAtMs: 2 })).toEqual([false, false]);
});

test('the list warns 14 days before a key of at least a day expires', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const nowMs = Date.now();
  await addKey(account, { name: 'later', expiresAtMs: nowMs + 14 * dayMs + 3_600_000 });
  await addKey(account, { name: 'gone', expiresAtMs: nowMs });
  await addKey(account, { name: 'test', createdAtMs: nowMs, expiresAtMs: nowMs + 3_600_000 });
  const early = await viewer.get('/keys');
  expect(early.text).not.toContain('id="expiring"');
  expect(early.text).not.toContain('Expires soon<');
  const { id } = await addKey(account, { name: 'soon', expiresAtMs: nowMs + 14 * dayMs - 1 });
  const { text } = await viewer.get('/keys');
  expect(text).toMatch(/id="expiring".*The token “soon” expires on .* UTC\./);
  expect(text.match(/title="[a-z]+">(?=(?:(?!<\/tr>).)*Expires soon<)/g)).toEqual(['title="soon">']);
  expect(text).not.toMatch(/The token “(later|gone|test)”/);

  const rotation = `/keys/token/${id}/rotate"`;
  expect(text).not.toContain(rotation);
  const manager = await dashboard.signIn(account, 'manager');
  expect((await manager.get('/keys')).text.split('id="open"')[0]).toContain(rotation);
});

const kinds = ['token', 'secret-key'] as const;
test.each(kinds)('the pages mark the old %s of a rotation until its replacement ends', async (kind) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const old = await addKey(account, { kind });
  const added = await addKey(account, { kind, replacesId: old.id });
  const badges = async () => {
    const { text } = await manager.get('/keys');
    const inList = [old, added].map(
      ({ id }) =>
        text.split(`/keys/${kind}/${id}" class="one-line"`)[1]?.split('</tr>')[0]?.split('class="badge')[1],
    );
    const pages = ['', '/revoke', '/rotate'].map((action) => `/keys/${kind}/${old.id}${action}`);
    const onPages = pages.map(async (path) => (await manager.get(path)).text.split('class="badge')[1]);
    return [...inList, ...(await Promise.all(onPages))].map((rest) => /[^<>]*(?=<\/)/.exec(rest ?? '')?.[0]);
  };
  expect(await badges()).toEqual([
    'Valid, replaced',
    'Valid',
    'Valid, replaced',
    'Valid, replaced',
    'Valid, replaced',
  ]);
  await dashboard.accounts.revokeCredential(account, added, Date.now());
  expect(await badges()).toEqual(['Valid', 'Revoked', 'Valid', 'Valid', 'Valid']);
});

test('the page of a replaced key has one way to revoke it, leads to the new one, and not to a first request', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const viewer = await dashboard.signIn(account, 'viewer');
  const old = await addKey(account, { kind: 'secret-key' });
  const page = `/keys/secret-key/${old.id}`;
  expect((await manager.get(page)).text).toContain('Send a first request');
  const { id } = await addKey(account, { kind: 'secret-key', replacesId: old.id });
  const { text } = await manager.get(page);
  expect(text).not.toContain('Send a first request');
  const warning = (of: string) => /<p class="warning">[^<]*Replaced .*?<\/p>/.exec(of)?.[0];
  const successor = `<a href="/a/${account}/keys/secret-key/${id}">Open the new key</a>`;
  expect(warning(text)).toContain(successor);
  expect(text.match(/\/revoke"/g)).toHaveLength(1);
  const viewed = (await viewer.get(page)).text;
  expect(warning(viewed)).toContain(successor);
  expect(viewed).not.toContain('/revoke');
  const usedAtMs = Date.now() - 2 * dayMs;
  await dashboard.accounts.recordUse([old], usedAtMs);
  await dashboard.accounts.changeCredential(account, old, { pausedAtMs: usedAtMs });
  expect(warning((await manager.get(page)).text)).toMatch(
    /Paused\. Replaced .* old key: 2 days ago; of the new one: never\./,
  );
});

test('a key with a valid replacement has no warning, and nothing offers another', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const old = await addKey(account, { expiresAtMs: Date.now() + dayMs });
  const rotation = `/keys/token/${old.id}/rotate"`;
  const added = await addKey(account, { replacesId: old.id });
  for (const path of ['/keys', '/keys/token', '/overview', `/keys/token/${old.id}`]) {
    const { text } = await manager.get(path);
    expect(text).not.toContain('id="expiring"');
    expect(text).not.toContain(rotation);
  }
  expect((await manager.get('/keys')).text).toContain(`/keys/token/${old.id}/revoke"`);
  await dashboard.accounts.revokeCredential(account, added, Date.now());
  for (const path of ['/keys', '/overview'])
    expect((await manager.get(path)).text).toMatch(/id="expiring".*\/rotate"/);
});
