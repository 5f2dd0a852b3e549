import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { hashCredential, newCredentialText } from '../credentials/credential.ts';
import { readPepper } from './read-pepper.ts';
import { requirePepper } from './require-pepper.ts';
import { openSqliteAccounts, type SqliteAccounts } from '../sqlite/sqlite-accounts.ts';

let dataDir: string;
let accounts: SqliteAccounts;
const pepperFile = () => join(dataDir, 'credential-pepper');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'require-pepper-'));
  accounts = openSqliteAccounts(join(dataDir, 'accounts.db'));
});
afterEach(async () => {
  await accounts.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a database keeps to its pepper, from the file or from the variable', async () => {
  await requirePepper(accounts, readPepper(dataDir));
  await requirePepper(accounts, readPepper(dataDir));
  await requirePepper(accounts, readPepper(dataDir, readFileSync(pepperFile(), 'utf8')));
});

test('a file that was lost is not made up for by a new one', async () => {
  await requirePepper(accounts, readPepper(dataDir));
  rmSync(pepperFile());
  const refusal = requirePepper(accounts, readPepper(dataDir));
  await expect(refusal).rejects.toMatchObject({ name: 'StartupError', exitCode: 1 });
  await expect(refusal).rejects.toThrow(/credential-pepper in the data folder .* CREDENTIAL_PEPPER/);
});

test('a variable that was changed is refused, and the old one still goes', async () => {
  const [old, changed] = ['o'.repeat(32), 'c'.repeat(32)].map((value) => readPepper(dataDir, value));
  if (old === undefined || changed === undefined) throw new Error('two peppers');
  await requirePepper(accounts, old);
  await expect(requirePepper(accounts, changed)).rejects.toMatchObject({ name: 'StartupError' });
  await requirePepper(accounts, old);
});

test('what is kept gives the pepper away as little as a hash does, and is the hash of no credential', async () => {
  const kept: Buffer[] = [];
  const pepper = createSecretKey('p'.repeat(32), 'utf8');
  const keepPepperFingerprint = (fingerprint: Buffer) => (
    kept.push(fingerprint),
    Promise.resolve('same' as const)
  );
  await requirePepper({ keepPepperFingerprint }, pepper);
  await requirePepper({ keepPepperFingerprint }, pepper);
  const [first, second] = kept;
  expect(first).toHaveLength(32);
  expect(second).toEqual(first);
  expect(first).not.toEqual(pepper.export());
  expect(first).not.toEqual(hashCredential(pepper, newCredentialText('token').text));
});

test('a database that can’t be read is a Fault and no verdict', async () => {
  await accounts.close();
  const asked = requirePepper(accounts, readPepper(dataDir));
  await expect(asked).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
});
