import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Credential } from '@jobs-delete/accounts/accounts';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { enrol, signInWith } from '../testing/enrol.ts';
import { expectSamePage, fieldOf } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { changeKeyRoutes } from './change-key-routes.tsx';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `change-${String((count += 1))}`;

async function addKey(accountId: string, fields: Partial<Credential> = {}): Promise<Credential> {
  const id = (count += 1).toString(16).padStart(24, '0');
  const key = { kind: 'token', id, accountId, name: 'shop', createdAtMs: 1, ...fields } as const;
  await dashboard.accounts.addAccount({ id: accountId, createdAtMs: 1 });
  await dashboard.accounts.addCredential({ ...key, hash: Buffer.alloc(32, count) });
  return key;
}

const trailOf = async (accountId: string) => {
  const trail = await dashboard.accounts.listActions({ accountId, pageSize: 10 });
  return trail.map(({ action, subject }) => [action, subject]);
};

test('a manager renames a key, and the trail has both names', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const key = await addKey(account, { kind: 'secret-key' });
  const path = `/keys/secret-key/${key.id}/rename`;
  const fields = { old: fieldOf(await manager.get(path), 'old'), name: ' warehouse <1> ' };
  const answers = [await manager.post(path, fields), await manager.post(path, fields)];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 303, location: `/keys/secret-key/${key.id}?notice=key-renamed` });
  expect(await dashboard.accounts.findCredential(key)).toMatchObject({ name: 'warehouse <1>' });
  expect((await manager.get('/keys')).text).toContain('>warehouse &lt;1></a>');
  expect(await trailOf(account)).toEqual([['secret-key.renamed', `${key.id} (shop → warehouse <1>)`]]);
});

test('a key that somebody else has renamed meanwhile keeps that name until it is seen', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const key = await addKey(account);
  const path = `/keys/token/${key.id}/rename`;
  const old = fieldOf(await manager.get(path), 'old');
  await dashboard.accounts.changeCredential(account, key, { from: 'shop', name: 'theirs' });
  const refused = await manager.post(path, { old, name: 'mine' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('its name is “theirs”');
  expect(await dashboard.accounts.findCredential(key)).toMatchObject({ name: 'theirs' });
  expect(await trailOf(account)).toEqual([]);
  await manager.post(path, { old: fieldOf(refused, 'old'), name: 'mine' });
  expect(await trailOf(account)).toEqual([['token.renamed', `${key.id} (theirs → mine)`]]);
});

test('the page after a wrong name names the old name that was seen', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const key = await addKey(account, { name: 'theirs' });
  const refused = await manager.post(`/keys/token/${key.id}/rename`, { old: 'shop', name: '' });
  expect([refused.status, fieldOf(refused, 'old')]).toEqual([422, 'shop']);
});

test('a rename that waits for a sign-in keeps the old name that was seen', async () => {
  const account = newAccount();
  const key = await addKey(account, { name: 'theirs' });
  const path = `/keys/token/${key.id}/rename`;
  const owner = await enrol(dashboard, account, `owner@${account}.example`);
  const csrf = fieldOf(await owner.get(path), 'csrf');
  await dashboard.accounts.changeSession(hashSecret(owner.cookies.get('session') ?? ''), { provenAtMs: 1 });
  const kept = await owner.postRaw(path, { csrf, old: 'shop', name: 'mine' });
  expect([kept.status, fieldOf(kept, 'old')]).toEqual([403, 'shop']);
  await signInWith(owner, owner.authenticator);
  const filled = await owner.postRaw(path, { csrf: fieldOf(kept, 'csrf'), old: 'shop', name: 'mine' });
  expect([filled.status, fieldOf(filled, 'old')]).toEqual([422, 'shop']);
});

test.each(['', ' ', 'x'.repeat(101), 'a\u202eb', 'a\nb'])('the name %j renames nothing', async (name) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const key = await addKey(account);
  const answer = await manager.post(`/keys/token/${key.id}/rename`, { old: 'shop', name });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('aria-invalid="true"');
  expect(await dashboard.accounts.findCredential(key)).toMatchObject({ name: 'shop' });
});

test('a manager pauses a key once, and resumes it, and a repetition says that it changed nothing', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const key = await addKey(account);
  const page = `/keys/token/${key.id}`;
  expect((await manager.get(page)).text).toContain(`${page}/pause"`);
  for (const action of ['pause', 'resume'] as const) {
    for (const notice of [`key-${action}d`, `key-${action}d-already`]) {
      const location = `${page}?notice=${notice}`;
      expect(await manager.post(`${page}/${action}`)).toMatchObject({ status: 303, location });
    }
    const already = { status: 303, location: `${page}?notice=key-${action}d-already` };
    expect(await manager.get(`${page}/${action}`)).toMatchObject(already);
    const isPaused = action === 'pause';
    const found = await dashboard.accounts.findCredential(key);
    expect(found?.pausedAtMs !== undefined).toBe(isPaused);
    const { text } = await manager.get(page);
    expect(text.includes('Paused since')).toBe(isPaused);
    expect(text).toContain(`${page}/${isPaused ? 'resume' : 'pause'}"`);
    expect(text).toContain(`${page}/rename"`);
    const list = (await manager.get('/keys')).text;
    expect(list.includes('>Paused</span>')).toBe(isPaused);
    expect([list.includes(`${page}/resume"`), list.includes(`${page}/rotate"`)]).toEqual([
      isPaused,
      !isPaused,
    ]);
  }
  expect((await trailOf(account)).toSorted()).toEqual([
    ['token.paused', `${key.id} (shop)`],
    ['token.resumed', `${key.id} (shop)`],
  ]);
});

test.each(['pause', 'resume'])(
  '%s of a key that is revoked meanwhile leads to its page, which says so',
  async (action) => {
    const account = newAccount();
    const key = await addKey(account);
    const { accounts } = dashboard;
    const revokesFirst: typeof accounts = {
      ...accounts,
      changeCredential: async (...change) => {
        await accounts.revokeCredential(account, key, 2);
        return accounts.changeCredential(...change);
      },
    };
    const route = changeKeyRoutes(partOf<Services>({ accounts: revokesFirst })).find(
      ({ method, path }) => method === 'POST' && path.endsWith(action),
    );
    const visit = partOf<MemberVisit>({
      accountId: account,
      params: { kind: key.kind, id: key.id },
      email: 'm@acme.example',
      network: '192.0.2.1',
      form: new URLSearchParams(),
      nowMs: 3,
    });
    const to = `/a/${account}/keys/token/${key.id}?notice=key-revoked-already`;
    expect(await route?.serve(visit)).toEqual({ kind: 'redirect', to });
  },
);

test('a paused key is not rotated, and nothing offers it', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const key = await addKey(account, { pausedAtMs: 1, expiresAtMs: Date.now() + 86_400_000 });
  const page = `/keys/token/${key.id}`;
  for (const path of ['/keys', page]) expect((await manager.get(path)).text).not.toContain(`${page}/rotate`);
  const stale = { status: 303, location: `${page}?notice=key-paused-already` };
  expect(await manager.get(`${page}/rotate`)).toMatchObject(stale);
  expect(await manager.post(`${page}/rotate`)).toMatchObject(stale);
  expect(await dashboard.accounts.listCredentials('token', account)).toHaveLength(1);
});

test('a revoked or expired key can only be looked at', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const ended = [
    await addKey(account, { revokedAtMs: 2, pausedAtMs: 1 }),
    await addKey(account, { expiresAtMs: 2, pausedAtMs: 1 }),
  ];
  for (const key of ended) {
    const page = `/keys/token/${key.id}`;
    expect((await manager.get(page)).text).not.toContain(`${page}/`);
    const notice = key.revokedAtMs === undefined ? 'key-expired-already' : 'key-revoked-already';
    const stale = { status: 303, location: `${page}?notice=${notice}` };
    if (key.revokedAtMs !== undefined) expect(await manager.get(`${page}/revoke`)).toMatchObject(stale);
    for (const action of ['rename', 'pause', 'resume', 'rotate']) {
      expect(await manager.get(`${page}/${action}`)).toMatchObject(stale);
      expect(await manager.post(`${page}/${action}`, { old: 'shop', name: 'x' })).toMatchObject(stale);
    }
    expect(await dashboard.accounts.findCredential(key)).toMatchObject(key);
  }
  const { text } = await manager.get('/keys');
  for (const state of ['Revoked', 'Expired']) expect(text).toContain(`>${state}</span>`);
});

test('a revoked key says when it was revoked, and neither that it is paused nor when it would expire', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const revokedAtMs = Date.UTC(2026, 10, 27, 7, 33);
  const { id } = await addKey(account, { pausedAtMs: 1, revokedAtMs, expiresAtMs: Date.now() + 86_400_000 });
  const { text } = await viewer.get(`/keys/token/${id}`);
  expect(text).toMatch(/<dt>Revoked<\/dt><dd><time[^>]*>27 Nov 2026, 07:33 UTC</);
  expect(text).not.toMatch(/Expires|Paused since/);
  for (const path of ['/keys', '/keys/token'])
    expect((await viewer.get(path)).text).toContain('data-label="Expires"><span class="none">–</span></td>');
});

test('paused keys count for the limit', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  for (let index = 0; index < 100; index += 1) await addKey(account, { pausedAtMs: 1 });
  const once = fieldOf(await manager.get('/keys/new'), 'once');
  const fields = { once, create: 'token', name: 'one more', expiry: '90', environment: 'live' };
  expect(await manager.post('/keys/new', fields)).toMatchObject({ status: 422 });
});

test('the list and the pages say which key replaces which', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const old = await addKey(account);
  const once = fieldOf(await manager.get(`/keys/token/${old.id}/rotate`), 'once');
  await manager.post(`/keys/token/${old.id}/rotate`, { once });
  const keys = await dashboard.accounts.listCredentials('token', account);
  const added = keys.find(({ id }) => id !== old.id);
  expect(added).toMatchObject({ replacesId: old.id });
  const addedId = added?.id ?? '';
  const page = `/a/${account}/keys/token`;
  for (const path of ['/keys', '/keys/token']) {
    const { text } = await manager.get(path);
    expect(text).toContain(`Replaced by <a href="${page}/${addedId}"><code title="${addedId}">`);
    expect(text).toContain(`Replaces <a href="${page}/${old.id}"><code title="${old.id}">`);
  }
  const relationOf = async (id: string) => {
    const { text } = await manager.get(`/keys/token/${id}`);
    return /<dt>(Repl[^<]*)<\/dt><dd><a href="([^"]*)"/.exec(text)?.slice(1);
  };
  expect(await relationOf(old.id)).toEqual(['Replaced by', `${page}/${addedId}`]);
  expect(await relationOf(addedId)).toEqual(['Replaces', `${page}/${old.id}`]);
});

test('a viewer sees the page of a key without its actions', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const page = `/keys/token/${(await addKey(account)).id}`;
  const { status, text } = await viewer.get(page);
  expect(status).toBe(200);
  expect(text).not.toContain(`${page}/`);
});

test('a key of another account answers like an unknown one', async () => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const foreign = await addKey(newAccount());
  for (const action of ['', '/rename', '/pause', '/resume', '/rotate', '/revoke']) {
    const [known, none] = [`/keys/token/${foreign.id}${action}`, `/keys/token/${'f'.repeat(24)}${action}`];
    const answer = await manager.get(none);
    expectSamePage(answer, await manager.get(known));
    expect(answer.text).toContain('The account has no key with this id.');
    expect(answer.text).toMatch(/<a class="button" href="[^"]*\/keys">Keys<\/a>/);
    if (action !== '')
      expect(await manager.post(known, { old: 'shop', name: 'x' })).toMatchObject({ status: 404 });
  }
  expect(await dashboard.accounts.findCredential(foreign)).toMatchObject(foreign);
});

const titles = {
  en: {
    rename: 'Rename the token “shop”',
    pause: 'Pause the token “shop”?',
    resume: 'Resume the token “shop”?',
    rotate: 'Rotate the token “shop”',
    revoke: 'Revoke the token “shop”?',
  },
  fr: {
    rename: 'Renommer le jeton «\u202fshop\u202f»',
    pause: 'Suspendre le jeton «\u202fshop\u202f»\u202f?',
    resume: 'Réactiver le jeton «\u202fshop\u202f»\u202f?',
    rotate: 'Renouveler le jeton «\u202fshop\u202f»',
    revoke: 'Révoquer le jeton «\u202fshop\u202f»\u202f?',
  },
  es: {
    rename: 'Renombrar el token «shop»',
    pause: '¿Pausar el token «shop»?',
    resume: '¿Reanudar el token «shop»?',
    rotate: 'Renovar el token «shop»',
    revoke: '¿Revocar el token «shop»?',
  },
};

test.each([
  ['en', 'Last used 2 hours ago. Its requests will be refused.'],
  ['fr', 'Dernière utilisation\u202f: il y a 2 heures. Ses requêtes seront refusées.'],
  ['es', 'Último uso: hace 2 horas. Sus solicitudes se rechazarán.'],
] as const)('the pages speak the language %s', async (language, inUse) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  for (const [action, title] of Object.entries(titles[language])) {
    const key = await addKey(account, action === 'resume' ? { pausedAtMs: 1 } : {});
    await dashboard.accounts.recordUse([key], Date.now() - 2 * 3_600_000);
    const page = await manager.get(`/keys/token/${key.id}/${action}`, { 'Accept-Language': language });
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text.includes(inUse)).toBe(action === 'pause' || action === 'revoke');
  }
});
