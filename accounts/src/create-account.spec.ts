import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAccount } from './create-account.ts';
import { openSqliteAccounts, type SqliteAccounts } from './sqlite/sqlite-accounts.ts';

const now = () => 1_000;
let folder: string;
let accounts: SqliteAccounts;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'create-account-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
});
afterEach(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

test('an account is created once, under the id given or a new one', async () => {
  expect(await createAccount(accounts, { id: 'beta', name: 'Beta' }, now)).toEqual({
    kind: 'created',
    account: { id: 'beta', name: 'Beta', createdAtMs: 1_000 },
  });
  expect(await createAccount(accounts, { id: 'beta' }, now)).toEqual({ kind: 'exists' });
  const created = await createAccount(accounts, {}, now);
  if (created.kind !== 'created') throw new Error(created.kind);
  expect(await accounts.findAccount(created.account.id)).toEqual(created.account);
});

test('an account with a malformed id or name is not created', async () => {
  expect(await createAccount(accounts, { id: 'a/b' }, now)).toEqual({ kind: 'id_malformed' });
  expect(await createAccount(accounts, { id: '' }, now)).toEqual({ kind: 'id_malformed' });
  expect(await createAccount(accounts, { name: '' }, now)).toEqual({ kind: 'name_malformed' });
  expect(await accounts.listAccounts()).toEqual([]);
});
