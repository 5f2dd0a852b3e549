import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { fieldOf } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
async function addKey(
  accountId: string,
  kind: CredentialKind,
  fields: Partial<Credential> = {},
): Promise<Credential> {
  const id = (count += 1).toString(16).padStart(24, '0');
  const key = { kind, id, accountId, name: 'shop', createdAtMs: 1, ...fields };
  await dashboard.accounts.addAccount({ id: accountId, createdAtMs: 1 });
  await dashboard.accounts.addCredential({ ...key, hash: Buffer.alloc(32, count) });
  return key;
}

async function startPair(fields: Partial<Credential> = {}) {
  const account = `pair-${String((count += 1))}`;
  const manager = await dashboard.signIn(account, 'manager');
  const token = await addKey(account, 'token', fields);
  const secret = await addKey(account, 'secret-key', fields);
  return { account, manager, token, secret, page: `/keys/token/${token.id}` };
}

const trailOf = async (accountId: string) => {
  const trail = await dashboard.accounts.listActions({ accountId, pageSize: 10 });
  return trail.map(({ action }) => action).toSorted();
};
const boxIn = (text: string) => /<input type="checkbox" name="also"( checked)?/.exec(text)?.[0];
const unchecked = '<input type="checkbox" name="also"';
const checked = `${unchecked} checked`;

test.each([
  ['rename', {}, { name: 'site', old: 'shop' }, { name: 'site' }, checked],
  ['pause', {}, {}, { pausedAtMs: expect.any(Number) }, checked],
  ['resume', { pausedAtMs: 1 }, {}, { pausedAtMs: undefined }, checked],
  ['revoke', {}, {}, { revokedAtMs: expect.any(Number) }, unchecked],
] as const)(
  '%s changes both keys of a pair once, also if the process ends in between',
  async (action, fields, sent, expected, box) => {
    const past = { rename: 'renamed', pause: 'paused', resume: 'resumed', revoke: 'revoked' }[action];
    const { account, manager, token, secret, page } = await startPair(fields);
    const form = await manager.get(`${page}/${action}`);
    expect(boxIn(form.text)).toBe(box);
    const both = { ...sent, pair: fieldOf(form, 'pair'), also: 'on' };
    // The first POST changes the token alone, as one that dies does.
    await manager.post(`${page}/${action}`, sent);
    expect(await trailOf(account)).toEqual([`token.${past}`]);
    const answers = [
      await manager.post(`${page}/${action}`, both),
      await manager.post(`${page}/${action}`, both),
    ];
    expect(answers[0]).toMatchObject({ status: 303, location: `${page}?notice=keys-${past}` });
    expect(answers[1]?.status).toBe(303);
    for (const key of [token, secret]) {
      const { name, pausedAtMs, revokedAtMs } = (await dashboard.accounts.findCredential(key)) ?? {};
      expect({ name, pausedAtMs, revokedAtMs }).toMatchObject(expected);
    }
    expect(await trailOf(account)).toEqual([`secret-key.${past}`, `token.${past}`]);
  },
);

test('a rotation of both gives two new keys, and the old ones form a pair', async () => {
  const { account, manager, secret, page } = await startPair();
  const form = await manager.get(`${page}/rotate`);
  const fields = { once: fieldOf(form, 'once'), pair: fieldOf(form, 'pair'), also: 'on' };
  const answers = [
    await manager.post(`${page}/rotate`, fields),
    await manager.post(`${page}/rotate`, fields),
  ];
  for (const { text } of answers) expect(text).toMatch(/>jdt_.*>jds_.*\/revoke".*\/revoke"/s);
  expect(await trailOf(account)).toEqual(['secret-key.rotated', 'token.rotated']);
  expect(fieldOf(await manager.get(`${page}/revoke`), 'pair')).toBe(secret.id);
  const { text } = await manager.get('/keys');
  expect(text.match(/<tr class="joined"/g)).toHaveLength(2);
});

test('a rotation leaves out a partner that is valid for another time', async () => {
  const { account, manager, page } = await startPair({ name: 'alone' });
  await addKey(account, 'token', { name: 'other' });
  const secret = await addKey(account, 'secret-key', { name: 'other', expiresAtMs: Date.now() + 9e8 });
  const { text } = await manager.get(`/keys/secret-key/${secret.id}/rotate`);
  expect(boxIn(text)).toBeUndefined();
  expect(text).toMatch(/valid for another time\. This form leaves it out:.*<button>Create the secret key</s);
  expect(boxIn((await manager.get(`${page}/rotate`)).text)).toBe(checked);
});

test('a rotation says that it leaves out a partner that is paused', async () => {
  const { account, manager, secret, page } = await startPair();
  await dashboard.accounts.changeCredential(account, secret, { pausedAtMs: 5 });
  const form = await manager.get(`${page}/rotate`);
  expect(boxIn(form.text)).toBeUndefined();
  expect(form.text).toMatch(/The secret key of this name is paused\. .*secret-key\/\w+">/s);
  const both = { once: fieldOf(form, 'once'), pair: secret.id, also: 'on' };
  await manager.post(`${page}/rotate`, both);
  expect(await trailOf(account)).toEqual(['token.rotated']);
});

test('a third key of the name makes the pair unknown, and one that has ended does not', async () => {
  const { account, manager, page } = await startPair();
  await addKey(account, 'secret-key', { revokedAtMs: 2 });
  expect(boxIn((await manager.get(`${page}/pause`)).text)).toBe(checked);
  await addKey(account, 'secret-key');
  for (const action of ['rename', 'pause', 'rotate', 'revoke'])
    expect(boxIn((await manager.get(`${page}/${action}`)).text)).toBeUndefined();
  expect((await manager.get('/keys')).text).not.toContain('class="joined"');
});

test('the token that waits for its end in a rotation does not take the secret key along', async () => {
  const { account, manager, token, page } = await startPair();
  const added = await addKey(account, 'token', { replacesId: token.id });
  expect(boxIn((await manager.get(`${page}/pause`)).text)).toBeUndefined();
  expect(boxIn((await manager.get(`/keys/token/${added.id}/pause`)).text)).toBe(checked);
});

test('a form takes along no key of another account', async () => {
  const { account, manager, page } = await startPair();
  const { secret: foreign, account: other } = await startPair();
  const both = { pair: foreign.id, also: 'on' };
  const once = fieldOf(await manager.get(`${page}/rotate`), 'once');
  await manager.post(`${page}/rotate`, { ...both, once });
  for (const action of ['pause', 'resume', 'revoke']) await manager.post(`${page}/${action}`, both);
  await manager.post(`${page}/rename`, { ...both, name: 'site', old: 'shop' });
  const { name, pausedAtMs, revokedAtMs } = (await dashboard.accounts.findCredential(foreign)) ?? {};
  expect([name, pausedAtMs, revokedAtMs]).toEqual(['shop', undefined, undefined]);
  expect(await trailOf(account)).toEqual(['token.paused', 'token.resumed', 'token.revoked', 'token.rotated']);
  expect(await trailOf(other)).toEqual([]);
});

test('the name confirms the revocation of a pair once, if a program uses one of them', async () => {
  const { manager, token, secret, page } = await startPair();
  await dashboard.accounts.recordUse([secret], Date.now());
  const form = await manager.get(`${page}/revoke`);
  expect(form.text).toContain('<input id="name"');
  const both = { pair: fieldOf(form, 'pair'), also: 'on' };
  const refused = await manager.post(`${page}/revoke`, { ...both, name: 'site' });
  expect([refused.status, boxIn(refused.text)]).toEqual([422, checked]);
  expect(await dashboard.accounts.findCredential(token)).not.toHaveProperty('revokedAtMs');
  expect((await manager.post(`${page}/revoke`, { ...both, name: 'shop' })).status).toBe(303);
  for (const key of [token, secret])
    expect(await dashboard.accounts.findCredential(key)).toHaveProperty('revokedAtMs');
});

test('the name is asked for a partner in use, but not required while the box may stay empty', async () => {
  const { manager, secret, page } = await startPair();
  await dashboard.accounts.recordUse([secret], Date.now());
  const { text } = await manager.get(`${page}/revoke`);
  expect(text).toMatch(/<input id="name"(?![^>]* required)/);
  expect(text).toContain('The other key was used in the last 7 days. To revoke both, type:');
  expect(text).toContain('The other key was last used');
  const own = await manager.get(`/keys/secret-key/${secret.id}/revoke`);
  expect(own.text).toMatch(/<input id="name"[^>]* required/);
  expect((await manager.post(`${page}/revoke`, { pair: secret.id, name: '' })).status).toBe(303);
  expect(await dashboard.accounts.findCredential(secret)).not.toHaveProperty('revokedAtMs');
});

test.each(['rename', 'pause', 'revoke'])(
  'the notice of %s says that the partner, which has ended meanwhile, is left out',
  async (action) => {
    const { manager, secret, page, account } = await startPair();
    await manager.post(`/keys/secret-key/${secret.id}/revoke`, {});
    expect(await trailOf(account)).toEqual(['secret-key.revoked']);
    const both = { name: 'site', old: 'shop', pair: secret.id, also: 'on' };
    const answer = await manager.post(`${page}/${action}`, both);
    expect(answer.location).toBe(`${page}?notice=only-key-changed`);
  },
);

test('a form that is refused keeps its box without the tick', async () => {
  const { manager, secret, page } = await startPair();
  const { text } = await manager.post(`${page}/rename`, { name: '', old: 'shop', pair: secret.id });
  expect(boxIn(text)).toBe(unchecked);
});

test('the list names a pair once, with one set of actions while both have the same', async () => {
  const { account, manager, token, secret } = await startPair();
  const rowsOf = async () => (await manager.get('/keys')).text.match(/<tr[^>]*>.*?<\/tr>/gs)?.slice(1) ?? [];
  const [first = '', second = ''] = await rowsOf();
  expect([first, second].map((row) => row.includes('>shop</a>'))).toEqual([true, false]);
  expect([first, second].map((row) => row.includes('/rotate"'))).toEqual([false, true]);
  expect(second).toContain(`keys/token/${token.id}/rotate"`);
  expect(second).toMatch(/^<tr class="joined"/);
  expect(second).toContain(`keys/secret-key/${secret.id}"`);
  await dashboard.accounts.changeCredential(account, token, { pausedAtMs: 5 });
  const [paused = '', valid = ''] = await rowsOf();
  expect([paused.includes('/resume"'), valid.includes('/rotate"')]).toEqual([true, true]);
});
