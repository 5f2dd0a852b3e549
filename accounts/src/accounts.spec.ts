import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAccount, isAccountId, isDisplayName, newAccountId } from './accounts.ts';
import { type SqliteAccounts, openSqliteAccounts } from './sqlite/sqlite-accounts.ts';

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

test('an account is created once, with the given id or a new one', async () => {
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

test.each(['a', 'acme', 'Acme_2-x', '-', '0', 'a'.repeat(64)])('%j is an account id', (text) => {
  expect(isAccountId(text)).toBe(true);
});

test.each(['', 'a'.repeat(65), 'a b', 'a/b', 'a.b', 'é', 'acme\n', '\nacme', 'acme\0', 'a%20'])(
  '%j is no account id',
  (text) => {
    expect(isAccountId(text)).toBe(false);
  },
);

test('every new account id is valid and different', () => {
  const ids = Array.from({ length: 1_000 }, newAccountId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => isAccountId(id) && id.startsWith('acc_'))).toBe(true);
});

test.each(['Acme', 'Société Générale, S. A.', '雇用', '🙂', 'x'.repeat(100)])(
  '%j is a display name',
  (text) => {
    expect(isDisplayName(text)).toBe(true);
  },
);

test.each([
  '',
  '   ',
  'x'.repeat(101),
  'a\nb',
  'a\tb',
  '\u001b[31mred',
  'a\0b',
  '\u202Eevil',
  'a\u2028b',
  '\ud800',
])('%j is no display name', (text) => {
  expect(isDisplayName(text)).toBe(false);
});
