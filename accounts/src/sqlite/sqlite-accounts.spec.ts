import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { accountsContract } from '../contract/accounts.contract.ts';
import { accountsSchema } from './sqlite-accounts-schema.ts';
import { openSqliteAccounts, openSqliteAccountsInThread } from './sqlite-accounts.ts';

const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
let files = 0;
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const newFile = () => join(folder, `${++files}.db`);
const empty = (path: string) => {
  const database = openSqlite(path, accountsSchema);
  database.exec('PRAGMA foreign_keys=OFF');
  const list = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_versions'";
  const tables = database.prepare(list).raw().all() as [string][];
  database.exec(tables.map(([table]) => `DELETE FROM ${table};`).join('\n'));
  database.close();
  return Promise.resolve();
};

const path = newFile();
accountsContract('SQLite', {
  empty: () => empty(path),
  connect: () => Promise.resolve(openSqliteAccounts(path)),
});
accountsContract('SQLite, in a thread of its own', {
  empty: () => empty(path),
  connect: () => openSqliteAccountsInThread(path),
});

describe('the SQLite file', () => {
  test('of a newer program is refused with advice for the operator', async () => {
    const path = newFile();
    await openSqliteAccounts(path).close();
    const migrations = [...accountsSchema.migrations, 'CREATE TABLE later (id TEXT) STRICT'];
    openSqlite(path, { name: 'accounts', migrations }).close();
    const known = accountsSchema.migrations.length;
    expect(() => openSqliteAccounts(path)).toThrow(
      `'accounts' tables are of schema version ${known + 1} and this program knows versions up to ${known};`,
    );
  });

  test('may contain tables of other owners', async () => {
    const path = newFile();
    const jobs = openSqlite(path, { name: 'jobs', migrations: ['CREATE TABLE jobs (id TEXT) STRICT'] });
    const accounts = openSqliteAccounts(path);
    jobs.exec("INSERT INTO jobs VALUES ('one')");
    await accounts.close();
    jobs.close();
    await openSqliteAccounts(path).close();
  });

  test('reads while another connection writes', async () => {
    const path = newFile();
    const accounts = openSqliteAccounts(path);
    const writer = openSqlite(path, { name: 'jobs', migrations: ['CREATE TABLE jobs (id TEXT) STRICT'] });
    await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
    writer.exec('BEGIN IMMEDIATE');
    expect(await accounts.findAccount('acme')).toEqual({ id: 'acme', createdAtMs: 1 });
    writer.exec('ROLLBACK');
    writer.close();
    await accounts.close();
  });

  const account = "INSERT INTO accounts (id, name, created_at_ms) VALUES ('acme', NULL, 1)";
  const credential = (kind: string, accountId: string, bytes: number) =>
    `INSERT INTO credentials (kind, id, account_id, hash, created_at_ms) ` +
    `VALUES ('${kind}', 'x', '${accountId}', zeroblob(${bytes}), 1)`;

  test.each([
    [
      'an account id of other characters',
      "INSERT INTO accounts (id, name, created_at_ms) VALUES ('a/b', NULL, 1)",
    ],
    ['an account without an id', "INSERT INTO accounts (id, name, created_at_ms) VALUES ('', NULL, 1)"],
    [
      'an account id of 65 characters',
      `INSERT INTO accounts (id, name, created_at_ms) VALUES ('${'a'.repeat(65)}', NULL, 1)`,
    ],
    ['an account id twice', account],
    ['a time that is no integer', "INSERT INTO accounts (id, name, created_at_ms) VALUES ('b', NULL, 'now')"],
    ['a credential of an unknown kind', credential('password', 'acme', 32)],
    ['a credential of nobody', credential('token', 'nobody', 32)],
    ['a hash of another length', credential('token', 'acme', 31)],
    [
      'a domain of nobody',
      "INSERT INTO allowed_domains (account_id, domain) VALUES ('nobody', 'example.com')",
    ],
    ['a second pepper', 'INSERT INTO credential_pepper (only, fingerprint) VALUES (2, zeroblob(32))'],
    [
      'a pepper fingerprint of another length',
      'INSERT INTO credential_pepper (only, fingerprint) VALUES (1, zeroblob(31))',
    ],
    [
      'a person of nobody’s account',
      "INSERT INTO memberships VALUES ('nobody', 'ada', 'owner', 'a@x', NULL)",
    ],
    ['an unknown role', "INSERT INTO memberships VALUES ('acme', 'ada', 'admin', 'a@x', NULL)"],
    [
      'half an identity',
      "INSERT INTO people (id, created_at_ms, openid_issuer) VALUES ('b', 1, 'https://login.example')",
    ],
    ['an identity twice', "INSERT INTO people VALUES ('b', 1, 'https://login.example', 'one')"],
    [
      'transports that are no list',
      "INSERT INTO passkeys VALUES (1, 'k', 'ada', x'00', 0, '{}', 'n', 1, NULL)",
    ],
    [
      'a session of nobody',
      "INSERT INTO sessions VALUES (zeroblob(32), 's', 'nobody', 'acme', 1, 1, 1, NULL, NULL)",
    ],
    ['an action of nobody', "INSERT INTO audit_entries VALUES ('nobody', 1, 'e', 'a', 'b', NULL, NULL)"],
    ['a day in another form', "INSERT INTO refusal_counts VALUES ('acme', '2030-1-2', 'x', 1, NULL)"],
    ['the removal of an account that has domains', "DELETE FROM accounts WHERE id = 'acme'"],
  ])('cannot store %s', async (_, statement) => {
    const path = newFile();
    await openSqliteAccounts(path).close();
    const database = openSqlite(path, accountsSchema);
    try {
      database.exec('PRAGMA foreign_keys=ON');
      database.exec(account);
      database.exec("INSERT INTO allowed_domains (account_id, domain) VALUES ('acme', 'example.com')");
      database.exec("INSERT INTO people VALUES ('ada', 1, 'https://login.example', 'one')");
      expect(() => database.exec(statement)).toThrow(/constraint failed|cannot store/);
    } finally {
      database.close();
    }
  });

  test('that is closed rejects calls, and may be closed again', async () => {
    const path = newFile();
    const accounts = openSqliteAccounts(path);
    await accounts.close();
    await accounts.close();
    const late = accounts.addAccount({ id: 'acme', createdAtMs: 1 });
    await expect(late).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
    const again = openSqliteAccounts(path);
    expect(await again.listAccounts()).toEqual([]);
    await again.close();
  });
});
