import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

const linksToCreate = (text: string) => text.match(/href="[^"]*\/keys\/new"/g)?.length ?? 0;
const pageOf = async (role: 'viewer' | 'manager', accountId: string, path = '/keys') =>
  (await (await dashboard.signIn(accountId, role)).get(path, { 'Accept-Language': 'en' })).text;

test('an account without keys has one way to create some, for a manager', async () => {
  const text = await pageOf('manager', 'empty');
  expect(text).toMatch(
    /class="card blank".*There is no key yet\..*One form creates a token and a secret key\./,
  );
  expect(linksToCreate(text)).toBe(1);
  expect(text).not.toContain('<h2 id="open">');
  const viewed = await pageOf('viewer', 'empty');
  expect(viewed).toContain('A manager of the account can create keys.');
  expect(linksToCreate(viewed)).toBe(0);
});

test('a kind without keys says so beside the keys of the other kind', async () => {
  await dashboard.accounts.addAccount({ id: 'half', createdAtMs: 1 });
  const token = { kind: 'token', accountId: 'half', id: 'a'.repeat(24), createdAtMs: 1 } as const;
  await dashboard.accounts.addCredential({ ...token, hash: Buffer.alloc(32, 1) });
  const text = await pageOf('manager', 'half');
  expect(text).toMatch(/aaaaaaaa.*class="card blank".*There is no secret key yet\./);
  expect(linksToCreate(text)).toBe(1);
  expect(await pageOf('manager', 'half', '/keys/secret-key')).toMatch(/class="card blank"/);
  const secretKey = { ...token, kind: 'secret-key', id: 'b'.repeat(24) } as const;
  await dashboard.accounts.addCredential({ ...secretKey, hash: Buffer.alloc(32, 2) });
  const full = await pageOf('manager', 'half');
  expect([full.includes('card blank'), linksToCreate(full)]).toEqual([false, 1]);
});

test('each row has the last refused request in a column of its own', async () => {
  const { accounts } = dashboard;
  await accounts.addAccount({ id: 'refused', createdAtMs: 1 });
  const token = { kind: 'token', accountId: 'refused', createdAtMs: 1 } as const;
  const [good, bad] = ['c', 'd'].map((digit) => ({ ...token, id: digit.repeat(24), name: `Shop ${digit}` }));
  if (!good || !bad) throw new Error('no keys');
  for (const key of [good, bad]) await accounts.addCredential({ ...key, hash: Buffer.alloc(32, key.id) });
  await accounts.recordRefusal([bad], Date.now() - 2 * 3_600_000);
  const text = await pageOf('viewer', 'refused');
  const cellOf = (name: string) =>
    new RegExp(`>${name}</a>.*?data-label="Last live refusal">(.*?)</td>`).exec(text)?.[1];
  expect(cellOf('Shop c')).toBe('<span class="none">–</span>');
  expect(cellOf('Shop d')).toContain('2 hours ago');
});

test('the last refusal of a token is its newest refused live request, unless the gateway has recorded a later one', async () => {
  const { accounts } = dashboard;
  const accountId = 'newest';
  await accounts.addAccount({ id: accountId, createdAtMs: 1 });
  const token = { kind: 'token', accountId, createdAtMs: 1, id: 'e'.repeat(24), name: 'Shop' } as const;
  const same = { ...token, kind: 'secret-key' } as const;
  for (const [index, key] of [token, same].entries())
    await accounts.addCredential({ ...key, hash: Buffer.alloc(32, index) });
  const nowMs = Date.now();
  const atMs = (hours: number) => nowMs - hours * 3_600_000;
  const refuse = (hours: number, environment: 'live' | 'sandbox' = 'live') =>
    accounts.addRefusedRequests([
      {
        id: `request-${String(hours)}`,
        accountId,
        tokenId: token.id,
        atMs: atMs(hours),
        environment,
        status: 404,
        code: 'job_not_found',
      },
    ]);
  const lastRefusals = async () => {
    const list = await pageOf('viewer', accountId);
    const cells = [...list.matchAll(/data-label="Last live refusal">(.*?)<\/td>/g)];
    const pages = [`/keys/token/${token.id}`, `/keys/secret-key/${token.id}`].map(async (path) =>
      /<dt>Last live refusal<\/dt><dd>(.*?)<\/dd>/.exec(await pageOf('viewer', accountId, path)),
    );
    return [...cells, ...(await Promise.all(pages))].map(
      (match) =>
        /\d+ hours ago|never|–|listed with the token|\d\d:\d\d/.exec(
          match?.[1]?.replaceAll(/<[^>]*>/g, '') ?? '',
        )?.[0],
    );
  };
  const timeOf = (hours: number) => new Date(atMs(hours)).toISOString().slice(11, 16);
  await accounts.recordRefusal([token], atMs(9));
  await refuse(3);
  await refuse(1, 'sandbox');
  expect(await lastRefusals()).toEqual(['3 hours ago', undefined, timeOf(3), 'listed with the token']);
  await accounts.recordRefusal([token, same], atMs(2));
  expect(await lastRefusals()).toEqual(['2 hours ago', '2 hours ago', timeOf(2), timeOf(2)]);
});

test('a token and a secret key of one name stand next to each other, each with its kind', async () => {
  const { accounts } = dashboard;
  await accounts.addAccount({ id: 'pairs', createdAtMs: 1 });
  const keys = [
    ['token', 'Shop', 10],
    ['token', 'Site', 20],
    ['secret-key', 'Shop', 30],
    ['secret-key', 'Site', 21],
    ['token', 'Shop', 31],
  ] as const;
  for (const [index, [kind, name, createdAtMs]] of keys.entries())
    await accounts.addCredential({
      kind,
      name,
      createdAtMs,
      accountId: 'pairs',
      id: String(index).repeat(24),
      hash: Buffer.alloc(32, `pair ${String(index)}`),
    });
  const text = await pageOf('viewer', 'pairs');
  const rows = [...text.matchAll(/title="(Shop|Site)".*?title="(\d)\d+".*?<td class="plain"[^>]*>([^<]*)</g)];
  expect(rows.map(([, ...row]) => row.join(' '))).toEqual([
    'Shop 4 Token',
    'Shop 0 Token',
    'Shop 2 Secret key',
    'Site 1 Token',
    'Site 3 Secret key',
  ]);
});

test('a key for the sandbox has a mark and stands where its age puts it, and those that have ended are folded', async () => {
  const { accounts } = dashboard;
  await accounts.addAccount({ id: 'order', createdAtMs: 1 });
  const createdAtMs = Date.now();
  const add = (id: string, fields: object = {}) => {
    const key = { kind: 'token', accountId: 'order', id: id.padEnd(24, '0'), createdAtMs, name: id } as const;
    return accounts.addCredential({ ...key, hash: Buffer.alloc(32, id), ...fields });
  };
  await add('ended', { revokedAtMs: createdAtMs });
  await add('lasting');
  await add('test', { environment: 'sandbox' });
  const text = await pageOf('viewer', 'order');
  const names = [...text.matchAll(/href="[^"]*" class="one-line" title="(\w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['test', 'lasting', 'ended']);
  expect(text.match(/\w+<\/a><span class="badge neutral">Sandbox only/g)).toEqual([
    'test</a><span class="badge neutral">Sandbox only',
  ]);
  const folded = /<details class="others">(.*?)<\/details>/.exec(text)?.[1] ?? '';
  expect(folded).toContain('Revoked and expired (1)</summary>');
  expect(['lasting', 'test', 'ended'].filter((name) => folded.includes(`title="${name}"`))).toEqual([
    'ended',
  ]);
  for (const id of ['lasting', 'test'])
    await accounts.revokeCredential('order', { kind: 'token', id: id.padEnd(24, '0') }, createdAtMs);
  expect(await pageOf('viewer', 'order')).toMatch(/<details class="others" open>.*expired \(3\)</);
});
