import { Fault } from '@jobs-delete/runtime/fault';
import { openSqlite, withSqlite, type Sqlite } from '@jobs-delete/runtime/open-sqlite';
import type { Account, Accounts, Credential, CredentialKind, StoredCredential } from './accounts.ts';
import { accountsSchema } from './sqlite-accounts-schema.ts';

export type SqliteAccounts = Accounts & { close(): void };

/**
 * Accounts in a SQLite file, which the job tables may share and other processes may have open. Every method is one
 * statement or one short transaction, done before the method returns.
 * @throws StartupError, see openSqlite
 */
export function openSqliteAccounts(path: string): SqliteAccounts {
  const database = openSqlite(path, accountsSchema);
  // The default of this build of SQLite, and not of every other.
  database.exec('PRAGMA foreign_keys=ON');
  const sql = prepareStatements(database);
  const settle = <Result>(use: () => Result) =>
    new Promise<Result>((resolve) => {
      // A prepared statement of libsql outlives its database.
      if (!database.open) throw new Fault('unavailable', 'The accounts are closed');
      resolve(withSqlite(use));
    });
  const raiseLastUse = database.transaction(
    (credentials: readonly (readonly [CredentialKind, string])[], atMs: number) => {
      for (const [kind, id] of credentials) sql.raiseLastUse.run(atMs, kind, id);
    },
  );

  return {
    addAccount: ({ id, name, createdAtMs }) =>
      settle(() => (sql.addAccount.run(id, name ?? null, createdAtMs).changes === 1 ? 'added' : 'exists')),
    findAccount: (id) =>
      settle(() => {
        const row = sql.findAccount.get(id) as AccountRow | undefined;
        return row && toAccount(row);
      }),
    listAccounts: () => settle(() => (sql.listAccounts.all() as AccountRow[]).map(toAccount)),

    addCredential: (credential) =>
      settle(() =>
        sql.addCredential.run(...toParameters(credential)).changes === 1 ? 'added' : 'no_account',
      ),
    findCredential: ({ kind, id }) =>
      settle(() => {
        const row = sql.findCredential.get(kind, id) as StoredCredentialRow | undefined;
        return row && toStoredCredential(row);
      }),
    listCredentials: (kind, accountId) =>
      settle(() => (sql.listCredentials.all(kind, accountId) as CredentialRow[]).map(toCredential)),
    revokeCredential: (accountId, { kind, id }, atMs) =>
      settle(() => {
        if (sql.revoke.run(atMs, kind, id, accountId).changes === 1) return 'revoked';
        // A revocation is never undone and a credential never removed, so nothing can change in between.
        return sql.belongsTo.get(kind, id, accountId) === undefined ? 'not_found' : 'already_revoked';
      }),
    recordUse: (credentials, atMs) =>
      settle(() =>
        raiseLastUse.immediate(
          credentials.map(({ kind, id }) => [kind, id] as const),
          atMs,
        ),
      ),

    allowDomain: (accountId, domain) =>
      settle(() => {
        if (sql.findAccount.get(accountId) === undefined) return 'no_account';
        sql.allowDomain.run(accountId, domain);
        return 'allowed';
      }),
    listDomains: (accountId) => settle(() => (sql.listDomains.all(accountId) as [string][]).flat()),
    removeDomain: (accountId, domain) => settle(() => sql.removeDomain.run(accountId, domain).changes === 1),

    loadAccess: (tokenId) =>
      settle(() => {
        const rows = sql.loadAccess.all(tokenId) as AccessRow[];
        if (rows[0] === undefined) return undefined;
        const [, ...token] = rows[0];
        return { token: toStoredCredential(token), allowedDomains: rows.flatMap(([domain]) => domain ?? []) };
      }),

    keepPepperFingerprint: (fingerprint) =>
      settle(() => {
        // What is kept is never changed, so nothing can change in between.
        // In an array: libsql takes a lone object, such as a Buffer, for named parameters, and ends the process.
        sql.keepFingerprint.run([fingerprint]);
        const [kept] = sql.fingerprint.get() as [Buffer];
        return fingerprint.equals(kept) ? 'same' : 'different';
      }),

    close: () => {
      if (database.open) database.close();
    },
  };
}

const accountColumns = 'id, name, created_at_ms';
const credentialColumns =
  'kind, id, credentials.account_id, created_at_ms, name, expires_at_ms, revoked_at_ms, last_used_at_ms';

function prepareStatements(database: Sqlite) {
  const run = (sql: string) => database.prepare(sql);
  // Raw rows are arrays in the order of the columns.
  const read = (sql: string) => database.prepare(sql).raw();
  return {
    addAccount: run(`INSERT INTO accounts (${accountColumns}) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING`),
    findAccount: read(`SELECT ${accountColumns} FROM accounts WHERE id = ?`),
    listAccounts: read(`SELECT ${accountColumns} FROM accounts ORDER BY created_at_ms, id`),

    addCredential: run(`
      INSERT INTO credentials
        (kind, id, hash, created_at_ms, name, expires_at_ms, revoked_at_ms, last_used_at_ms, account_id)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, id FROM accounts WHERE id = ?`),
    findCredential: read(`SELECT hash, ${credentialColumns} FROM credentials WHERE kind = ? AND id = ?`),
    listCredentials: read(`
      SELECT ${credentialColumns} FROM credentials WHERE kind = ? AND account_id = ? ORDER BY created_at_ms, id`),
    revoke: run(`
      UPDATE credentials SET revoked_at_ms = ?
      WHERE kind = ? AND id = ? AND account_id = ? AND revoked_at_ms IS NULL`),
    belongsTo: read('SELECT 1 FROM credentials WHERE kind = ? AND id = ? AND account_id = ?'),
    raiseLastUse: run(`
      UPDATE credentials SET last_used_at_ms = max(?, coalesce(last_used_at_ms, 0)) WHERE kind = ? AND id = ?`),

    allowDomain: run('INSERT INTO allowed_domains (account_id, domain) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    listDomains: read('SELECT domain FROM allowed_domains WHERE account_id = ? ORDER BY domain'),
    removeDomain: run('DELETE FROM allowed_domains WHERE account_id = ? AND domain = ?'),

    loadAccess: read(`
      SELECT domain, hash, ${credentialColumns} FROM credentials
      LEFT JOIN allowed_domains ON allowed_domains.account_id = credentials.account_id
      WHERE kind = 'token' AND id = ? ORDER BY domain`),

    keepFingerprint: run(
      'INSERT INTO credential_pepper (only, fingerprint) VALUES (1, ?) ON CONFLICT (only) DO NOTHING',
    ),
    fingerprint: read('SELECT fingerprint FROM credential_pepper'),
  };
}

type AccountRow = [id: string, name: string | null, createdAtMs: number];
type CredentialRow = [
  kind: CredentialKind,
  id: string,
  accountId: string,
  createdAtMs: number,
  name: string | null,
  expiresAtMs: number | null,
  revokedAtMs: number | null,
  lastUsedAtMs: number | null,
];
type StoredCredentialRow = [hash: Buffer, ...CredentialRow];
type AccessRow = [domain: string | null, ...StoredCredentialRow];

function toAccount([id, name, createdAtMs]: AccountRow): Account {
  return { id, createdAtMs, ...(name !== null && { name }) };
}

function toCredential(row: CredentialRow): Credential {
  const [kind, id, accountId, createdAtMs, name, expiresAtMs, revokedAtMs, lastUsedAtMs] = row;
  return {
    kind,
    id,
    accountId,
    createdAtMs,
    ...(name !== null && { name }),
    ...(expiresAtMs !== null && { expiresAtMs }),
    ...(revokedAtMs !== null && { revokedAtMs }),
    ...(lastUsedAtMs !== null && { lastUsedAtMs }),
  };
}

function toStoredCredential([hash, ...row]: StoredCredentialRow): StoredCredential {
  return { ...toCredential(row), hash };
}

/** In the order of the statement `addCredential`. */
function toParameters(credential: StoredCredential) {
  const { kind, id, hash, createdAtMs, name, expiresAtMs, revokedAtMs, lastUsedAtMs, accountId } = credential;
  return [
    kind,
    id,
    hash,
    createdAtMs,
    name ?? null,
    expiresAtMs ?? null,
    revokedAtMs ?? null,
    lastUsedAtMs ?? null,
    accountId,
  ];
}
