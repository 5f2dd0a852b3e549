import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

let hashes = 0;

/** Node's own module, which counts the hashes. The time that a refusal takes is the time of its hashes. */
const crypto = await import('node:crypto');
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  createHmac: (...args: Parameters<typeof crypto.createHmac>) => {
    hashes += 1;
    return crypto.createHmac(...args);
  },
}));
const { createAuthenticator } = await import('./authenticator.ts');
const { newCredentialText } = await import('./credentials/credential.ts');
const { issueCredential } = await import('./credentials/credential.ts');
const { openSqliteAccounts } = await import('./sqlite/sqlite-accounts.ts');

const keyOf = (text: string) => crypto.createSecretKey(text.repeat(32), 'utf8');
const [pepper, previousPepper] = [keyOf('p'), keyOf('q')];
const now = () => 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'authenticate-hashes-'));
const accounts = openSqliteAccounts(join(folder, 'accounts.db'));
beforeAll(async () => {
  for (const id of ['acme', 'beta']) await accounts.addAccount({ id, createdAtMs: 1 });
});
afterAll(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['token', 'one pepper', 1, undefined],
  ['secret-key', 'one pepper', 1, undefined],
  ['token', 'two peppers', 2, previousPepper],
  ['secret-key', 'two peppers', 2, previousPepper],
] as const)('a %s, with %s', (kind, _peppers, each, previous) => {
  const onError = () => undefined;
  const authenticator = createAuthenticator({ accounts, pepper, previousPepper: previous, now, onError });
  const check = (text: string) =>
    kind === 'token' ? authenticator.authenticateToken(text) : authenticator.verifySecretKey('acme', text);
  const issue = async (accountId: string, expiresAtMs?: number) => {
    const issued = await issueCredential(accounts, pepper, { kind, accountId, expiresAtMs }, now);
    if (issued.kind !== 'issued') throw new Error(issued.kind);
    return { ...issued.credential, text: issued.text };
  };
  test.each<[string, () => string | Promise<string>]>([
    ['good', async () => (await issue('acme')).text],
    ['unknown', () => newCredentialText(kind).text],
    ['wrong', async () => `${(await issue('acme')).text.slice(0, -8)}00000000`],
    ['malformed', () => 'no credential'],
    ['empty', () => ''],
    ["another account's", async () => (await issue('beta')).text],
    ['expired', async () => (await issue('acme', now() - 1)).text],
    [
      'revoked',
      async () => {
        const credential = await issue('acme');
        await accounts.revokeCredential('acme', credential, now());
        return credential.text;
      },
    ],
  ])('that is %s costs one hash for each pepper, cached or not, like every other', async (_, make) => {
    const text = await make();
    for (const round of ['cold', 'cached']) {
      hashes = 0;
      await check(text);
      expect([round, hashes]).toEqual([round, each]);
    }
  });
});
