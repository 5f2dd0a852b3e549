import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createAuthenticator } from '@jobs-delete/accounts/authenticator';
import { loadPeppers } from '@jobs-delete/accounts/pepper/load-pepper';
import { openSqliteAccounts } from '@jobs-delete/accounts/sqlite/sqlite-accounts';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const next = 'n'.repeat(32);
const id = /^[0-9a-f]{16}$/;

/** Authenticates like a gateway with both peppers. */
async function use(token: string, credentialPepper: string, previousCredentialPepper: string) {
  const path = join(cli.dataDir(), 'jobs-delete.db');
  const accounts = openSqliteAccounts(path);
  try {
    const database = { kind: 'sqlite', path } as const;
    const source = { database, dataDir: cli.dataDir(), credentialPepper, previousCredentialPepper };
    const peppers = await loadPeppers(accounts, source);
    const onError = (error: unknown) => {
      throw error;
    };
    return await createAuthenticator({ accounts, ...peppers, now: Date.now, onError }).authenticateToken(
      token,
    );
  } finally {
    await accounts.close();
  }
}

test('status counts what is left of the previous pepper, until a start without it succeeds', async () => {
  await cli.run('accounts', 'create', 'acme');
  const issue = async () =>
    ((await cli.json('tokens', 'issue', '--account', 'acme')) as { token: string }).token;
  const tokens = [await issue(), await issue()];
  expect(await cli.json('pepper', 'status')).toEqual([
    { pepper_id: expect.stringMatching(id), use: 'current', credentials: 2 },
  ]);
  const old = readFileSync(join(cli.dataDir(), 'credential-pepper'), 'utf8').trim();
  const env = { CREDENTIAL_PEPPER: next, CREDENTIAL_PEPPER_PREVIOUS: old };
  const status = async (of: NodeJS.ProcessEnv = env) =>
    (await cli.runWith({ env: of }, 'pepper', 'status')).stdout;

  for (const [index, token] of tokens.entries()) {
    expect(await use(token, next, old)).toMatchObject({ accountId: 'acme' });
    expect(await status()).toMatch(new RegExp(`previous +${String(1 - index)}\n`));
    expect(await status()).toMatch(new RegExp(`current +${String(index + 1)}\n`));
  }
  const advice = await status();
  expect(advice).toContain('remove CREDENTIAL_PEPPER_PREVIOUS after the people with an authenticator app');
  expect(advice).toContain('Their secrets are not counted here.');
  expect(await status({})).toContain('set CREDENTIAL_PEPPER_PREVIOUS to this pepper');
  const alone = { env: { CREDENTIAL_PEPPER: next } };
  expect(await cli.runWith(alone, 'tokens', 'issue', '--account', 'acme')).toMatchObject({ exitCode: 0 });
  expect(await status(alone.env)).toMatch(/^PEPPER +USE +CREDENTIALS\n[0-9a-f]{16} +current +3\n$/);
  expect(await cli.run('tokens', 'issue', '--account', 'acme')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('belong to another pepper'),
  });
});

test('status creates no pepper', async () => {
  await cli.run('accounts', 'create', 'acme');
  expect(await cli.run('pepper', 'status')).toMatchObject({
    exitCode: 0,
    stdout: 'The database has no pepper and no credentials.\n',
  });
  expect(await cli.run('tokens', 'issue', '--account', 'acme')).toMatchObject({ exitCode: 0 });
});
