import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createSecretKey } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { credentialMatches, issueSecretKey, issueToken, parseCredential } from './credential.ts';
import { type SqliteAccounts, openSqliteAccounts } from '../sqlite/sqlite-accounts.ts';

const pepper = createSecretKey('p'.repeat(32), 'utf8');
const now = () => 1_000;
let folder: string;
let accounts: SqliteAccounts;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'issue-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
});
afterEach(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['token', issueToken],
  ['secret-key', issueSecretKey],
] as const)('an issued %s is shown once and stored as its hash', async (kind, issue) => {
  const issued = await issue(accounts, pepper, 'acme', { expiresAtMs: 5_000, name: 'CI' }, now);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  const { text, credential } = issued;
  expect(credential).toEqual({
    kind,
    id: parseCredential(kind, text),
    accountId: 'acme',
    name: 'CI',
    createdAtMs: 1_000,
    expiresAtMs: 5_000,
  });
  expect(await accounts.listCredentials(kind, 'acme')).toEqual([credential]);
  const stored = await accounts.findCredential(credential);
  expect(credentialMatches(pepper, text, stored?.hash)).toBe(true);
});

test('no file contains the secret', async () => {
  const issued = await issueToken(accounts, pepper, 'acme', {}, now);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  const secret = issued.text.split('_')[2] ?? '';
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(files.some((content) => content.includes(issued.credential.id))).toBe(true);
  for (const content of files) {
    expect(content.includes(secret)).toBe(false);
    expect(content.includes(Buffer.from(secret, 'hex'))).toBe(false);
  }
});

test('no credential is issued to an unknown account or with an unprintable name', async () => {
  expect(await issueToken(accounts, pepper, 'nobody', {}, now)).toEqual({ kind: 'no_account' });
  expect(await issueToken(accounts, pepper, 'acme', { name: 'a\u001b[2J' }, now)).toEqual({
    kind: 'name_malformed',
  });
  expect(await accounts.listCredentials('token', 'acme')).toEqual([]);
});
