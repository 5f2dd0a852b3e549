import { createSecretKey, type KeyObject } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashCredential, newCredentialText } from '../credentials/credential.ts';
import { examinePepper, loadPeppers, verifyPeppers } from './load-pepper.ts';
import { readOrCreatePepper } from './read-or-create-pepper.ts';
import { type SqliteAccounts, openSqliteAccounts } from '../sqlite/sqlite-accounts.ts';

let dataDir: string;
let accounts: SqliteAccounts;
const verifyPepper = (store: SqliteAccounts, pepper: KeyObject) =>
  verifyPeppers(store, { pepper, previousPepper: undefined });
const pepperFile = () => join(dataDir, 'credential-pepper');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'load-pepper-'));
  accounts = openSqliteAccounts(join(dataDir, 'accounts.db'));
});
afterEach(async () => {
  await accounts.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a database accepts its pepper from the file and from the variable', async () => {
  await verifyPepper(accounts, readOrCreatePepper(dataDir));
  await verifyPepper(accounts, readOrCreatePepper(dataDir));
  await verifyPepper(accounts, readOrCreatePepper(dataDir, readFileSync(pepperFile(), 'utf8')));
});

test('a new file does not replace a lost one', async () => {
  await verifyPepper(accounts, readOrCreatePepper(dataDir));
  rmSync(pepperFile());
  const refusal = verifyPepper(accounts, readOrCreatePepper(dataDir));
  await expect(refusal).rejects.toMatchObject({ name: 'StartupError', exitCode: 1 });
  await expect(refusal).rejects.toThrow(/credential-pepper in the data folder .* CREDENTIAL_PEPPER/);
});

test('a changed variable is refused, and the old one still works', async () => {
  const [old, changed] = ['o'.repeat(32), 'c'.repeat(32)].map((value) => readOrCreatePepper(dataDir, value));
  if (old === undefined || changed === undefined) throw new Error('two peppers');
  await verifyPepper(accounts, old);
  await expect(verifyPepper(accounts, changed)).rejects.toMatchObject({ name: 'StartupError' });
  await verifyPepper(accounts, old);
});

test('the stored fingerprint is neither the pepper nor the hash of a credential', async () => {
  const pepper = createSecretKey('p'.repeat(32), 'utf8');
  await verifyPeppers(accounts, { pepper, previousPepper: undefined });
  const { first } = (await accounts.findPepperFingerprints()) ?? {};
  expect(first).toHaveLength(32);
  expect(first).not.toEqual(pepper.export());
  expect(first).not.toEqual(hashCredential(pepper, newCredentialText('token').text));
});

test('an unreadable database is a Fault, not a refusal', async () => {
  await accounts.close();
  const asked = verifyPepper(accounts, readOrCreatePepper(dataDir));
  await expect(asked).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
});

test('MongoDB without CREDENTIAL_PEPPER is refused, and no file is created', async () => {
  const database = { kind: 'mongodb', url: 'mongodb://nowhere/jobs' } as const;
  const loaded = loadPeppers(accounts, { database, dataDir, credentialPepper: undefined });
  await expect(loaded).rejects.toMatchObject({ name: 'ConfigurationError', exitCode: 2 });
  expect(existsSync(pepperFile())).toBe(false);
});

describe('a database whose pepper file is lost', () => {
  const source = () => ({
    database: { kind: 'sqlite', path: join(dataDir, 'accounts.db') } as const,
    dataDir,
    credentialPepper: undefined,
  });

  test('with a fingerprint is refused, and no file is created', async () => {
    await loadPeppers(accounts, source());
    rmSync(pepperFile());
    for (const use of [loadPeppers, examinePepper]) {
      await expect(use(accounts, source())).rejects.toThrow(
        `The pepper is missing: there is no file ${pepperFile()}, and CREDENTIAL_PEPPER is not set.`,
      );
      expect(existsSync(pepperFile())).toBe(false);
    }
  });

  test('with credentials of a release without fingerprints is refused', async () => {
    const hash = hashCredential(createSecretKey('p'.repeat(32), 'utf8'), 'a token');
    await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
    await accounts.addCredential({ kind: 'token', id: 'a', accountId: 'acme', createdAtMs: 1, hash });
    await expect(loadPeppers(accounts, source())).rejects.toThrow('The pepper is missing');
    expect(existsSync(pepperFile())).toBe(false);
  });

  test('without credentials gets a new one', async () => {
    await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
    expect(await examinePepper(accounts, source())).toBe('not needed');
    expect(existsSync(pepperFile())).toBe(false);
    await loadPeppers(accounts, source());
    expect(existsSync(pepperFile())).toBe(true);
    expect(await examinePepper(accounts, source())).toBe('fits');
  });
});

test('an examination finds another pepper, and stores nothing', async () => {
  const sourceOf = (credentialPepper: string) => ({
    database: { kind: 'sqlite', path: '' } as const,
    dataDir,
    credentialPepper,
  });
  await loadPeppers(accounts, sourceOf('o'.repeat(32)));
  await expect(examinePepper(accounts, sourceOf('c'.repeat(32)))).rejects.toThrow('belong to another pepper');
  expect(await examinePepper(accounts, sourceOf('o'.repeat(32)))).toBe('fits');
});
