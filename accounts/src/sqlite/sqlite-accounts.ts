import { callInThread } from '@jobs-delete/runtime/sqlite/call-in-thread';
import { openSqlite, type Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { callHere } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import type {
  Account,
  AccountChange,
  Accounts,
  Credential,
  CredentialKind,
  CredentialRef,
  StoredCredential,
} from '../accounts.ts';
import type { AuditEntry } from '../people/audit-trail.ts';
import { auditCalls, createRecording, type Recording } from './audit-calls.ts';
import { personCalls } from './person-calls.ts';
import { refusalCalls } from './refusal-calls.ts';
import { oneTimeSecretCalls, sessionCalls } from './session-calls.ts';
import { pepperCalls } from './pepper-calls.ts';
import { accountsSchema } from './sqlite-accounts-schema.ts';
import { withBuffers } from './with-buffers.ts';

export type SqliteAccounts = Accounts & { close(): Promise<void> };

/**
 * Accounts in a SQLite file. Job tables may share the file, and other processes may have it open. Every method runs one
 * statement or one short transaction before it returns.
 * @throws StartupError
 */
export function openSqliteAccounts(path: string): SqliteAccounts {
  return callHere(openAccountsCalls(path));
}

/** The same in a thread: the caller's event loop waits neither for the disk nor for transactions of the store. */
export async function openSqliteAccountsInThread(path: string): Promise<SqliteAccounts> {
  const compiled = new URL('../../dist/sqlite/sqlite-accounts.js', import.meta.url);
  return withBuffers(await callInThread<typeof openAccountsCalls>(compiled, 'openAccountsCalls', path));
}

/** Runs in a thread or in the caller's. */
export function openAccountsCalls(path: string) {
  const database = openSqlite(path, accountsSchema);
  // Only some builds of SQLite have this on by default.
  database.exec('PRAGMA foreign_keys=ON');
  const sql = prepareStatements(database);
  const recording = createRecording(database);
  const secrets = oneTimeSecretCalls(database, recording);
  return {
    ...accountCalls(sql),
    ...credentialCalls(sql, database, recording),
    ...domainCalls(sql, recording),
    ...personCalls(database, recording, secrets),
    ...sessionCalls(database, recording),
    ...secrets,
    ...auditCalls(database),
    ...refusalCalls(database),
    ...pepperCalls(database),

    loadAccess: (tokenId: string) => {
      const rows = sql.loadAccess.all(tokenId) as AccessRow[];
      if (rows[0] === undefined) return undefined;
      const [, disabledAtMs, ...token] = rows[0];
      return {
        token: toStoredCredential(token),
        allowedDomains: rows.flatMap(([domain]) => domain ?? []),
        ...(disabledAtMs !== null && { isAccountDisabled: true as const }),
      };
    },

    close: () => {
      database.close();
    },
  };
}

type Statements = ReturnType<typeof prepareStatements>;

function accountCalls(sql: Statements) {
  return {
    addAccount: ({ id, name, createdAtMs }: Account) => {
      const isAdded = sql.addAccount.run(id, name ?? null, createdAtMs).changes === 1;
      return isAdded ? ('added' as const) : ('exists' as const);
    },
    findAccount: (id: string) => {
      const row = sql.findAccount.get(id) as AccountRow | undefined;
      return row && toAccount(row);
    },
    listAccounts: () => (sql.listAccounts.all() as AccountRow[]).map(toAccount),
    changeAccount: (id: string, change: AccountChange) => {
      if ('name' in change) sql.renameAccount.run(change.name, id);
      else if (change.disabledAtMs === null) sql.enableAccount.run(id);
      else sql.disableAccount.run(change.disabledAtMs, id);
      const row = sql.findAccount.get(id) as AccountRow | undefined;
      return row && toAccount(row);
    },
  };
}

function credentialCalls(sql: Statements, database: Sqlite, recording: Recording) {
  const raiseAll = (raise: Statements['raiseLastUse']) =>
    database.transaction((credentials: readonly CredentialRef[], atMs: number) => {
      for (const { kind, id } of credentials) raise.run(atMs, kind, id);
    }).immediate;
  const raiseLastUse = raiseAll(sql.raiseLastUse);
  const raiseLastRefusal = raiseAll(sql.raiseLastRefusal);
  return {
    addCredential: (credential: StoredCredential, entry?: AuditEntry) =>
      recording(
        entry,
        () => {
          const isAdded = sql.addCredential.run(...toParameters(credential)).changes === 1;
          return isAdded ? ('added' as const) : ('no_account' as const);
        },
        (outcome) => outcome === 'added',
      ),
    findCredential: ({ kind, id }: CredentialRef) => {
      const row = sql.findCredential.get(kind, id) as StoredCredentialRow | undefined;
      return row && toStoredCredential(row);
    },
    listCredentials: (kind: CredentialKind, accountId: string) =>
      (sql.listCredentials.all(kind, accountId) as CredentialRow[]).map(toCredential),
    revokeCredential: (accountId: string, { kind, id }: CredentialRef, atMs: number, entry?: AuditEntry) =>
      recording(
        entry,
        () => {
          if (sql.revoke.run(atMs, kind, id, accountId).changes === 1) return 'revoked' as const;
          const belongs = sql.belongsTo.get(kind, id, accountId) !== undefined;
          return belongs ? ('already_revoked' as const) : ('not_found' as const);
        },
        (outcome) => outcome === 'revoked',
      ),
    recordUse: (credentials: readonly CredentialRef[], atMs: number) => {
      raiseLastUse(credentials, atMs);
    },
    recordRefusal: (credentials: readonly CredentialRef[], atMs: number) => {
      raiseLastRefusal(credentials, atMs);
    },
  };
}

function domainCalls(sql: Statements, recording: Recording) {
  return {
    allowDomain: (accountId: string, domain: string, entry?: AuditEntry) => {
      if (sql.findAccount.get(accountId) === undefined) return 'no_account' as const;
      const allow = () => sql.allowDomain.run(accountId, domain).changes;
      recording(entry, allow, (changes) => changes === 1);
      return 'allowed' as const;
    },
    listDomains: (accountId: string) => (sql.listDomains.all(accountId) as [string][]).flat(),
    removeDomain: (accountId: string, domain: string, entry?: AuditEntry) =>
      recording(
        entry,
        () => sql.removeDomain.run(accountId, domain).changes === 1,
        (wasAllowed) => wasAllowed,
      ),
  };
}

const accountColumns = 'id, name, created_at_ms, disabled_at_ms';
const credentialColumns =
  'kind, credentials.id, credentials.account_id, credentials.created_at_ms, credentials.name, expires_at_ms, revoked_at_ms, last_used_at_ms, last_refused_at_ms';

function prepareStatements(database: Sqlite) {
  const run = (sql: string) => database.prepare(sql);
  // `raw` gives each row as an array, in the order of the columns.
  const read = (sql: string) => database.prepare(sql).raw();
  return {
    addAccount: run(
      'INSERT INTO accounts (id, name, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
    ),
    renameAccount: run('UPDATE accounts SET name = ? WHERE id = ?'),
    enableAccount: run('UPDATE accounts SET disabled_at_ms = NULL WHERE id = ?'),
    disableAccount: run('UPDATE accounts SET disabled_at_ms = coalesce(disabled_at_ms, ?) WHERE id = ?'),
    findAccount: read(`SELECT ${accountColumns} FROM accounts WHERE id = ?`),
    listAccounts: read(`SELECT ${accountColumns} FROM accounts ORDER BY created_at_ms, id`),

    addCredential: run(`
      INSERT INTO credentials
        (kind, id, hash, pepper_id, created_at_ms, name, expires_at_ms, revoked_at_ms, last_used_at_ms, last_refused_at_ms,
        account_id)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, id FROM accounts WHERE id = ?`),
    findCredential: read(
      `SELECT hash, pepper_id, ${credentialColumns} FROM credentials WHERE kind = ? AND id = ?`,
    ),
    listCredentials: read(`
      SELECT ${credentialColumns} FROM credentials WHERE kind = ? AND account_id = ? ORDER BY created_at_ms, id`),
    revoke: run(`
      UPDATE credentials SET revoked_at_ms = ?
      WHERE kind = ? AND id = ? AND account_id = ? AND revoked_at_ms IS NULL`),
    belongsTo: read('SELECT 1 FROM credentials WHERE kind = ? AND id = ? AND account_id = ?'),
    raiseLastUse: run(`
      UPDATE credentials SET last_used_at_ms = max(?, coalesce(last_used_at_ms, 0)) WHERE kind = ? AND id = ?`),
    raiseLastRefusal: run(`
      UPDATE credentials SET last_refused_at_ms = max(?, coalesce(last_refused_at_ms, 0)) WHERE kind = ? AND id = ?`),

    allowDomain: run('INSERT INTO allowed_domains (account_id, domain) VALUES (?, ?) ON CONFLICT DO NOTHING'),
    listDomains: read('SELECT domain FROM allowed_domains WHERE account_id = ? ORDER BY domain'),
    removeDomain: run('DELETE FROM allowed_domains WHERE account_id = ? AND domain = ?'),

    loadAccess: read(`
      SELECT domain, disabled_at_ms, hash, pepper_id, ${credentialColumns} FROM credentials
      JOIN accounts ON accounts.id = credentials.account_id
      LEFT JOIN allowed_domains ON allowed_domains.account_id = credentials.account_id
      WHERE kind = 'token' AND credentials.id = ? ORDER BY domain`),
  };
}

type AccountRow = [id: string, name: string | null, createdAtMs: number, disabledAtMs: number | null];
type CredentialRow = [
  kind: CredentialKind,
  id: string,
  accountId: string,
  createdAtMs: number,
  name: string | null,
  expiresAtMs: number | null,
  revokedAtMs: number | null,
  lastUsedAtMs: number | null,
  lastRefusedAtMs: number | null,
];
type StoredCredentialRow = [hash: Buffer, pepperId: string | null, ...CredentialRow];
type AccessRow = [domain: string | null, disabledAtMs: number | null, ...StoredCredentialRow];

function toAccount([id, name, createdAtMs, disabledAtMs]: AccountRow): Account {
  return { id, createdAtMs, ...(name !== null && { name }), ...(disabledAtMs !== null && { disabledAtMs }) };
}

function toCredential(row: CredentialRow): Credential {
  const [kind, id, accountId, createdAtMs, name, expiresAtMs, revokedAtMs, lastUsedAtMs, lastRefusedAtMs] =
    row;
  return {
    kind,
    id,
    accountId,
    createdAtMs,
    ...(name !== null && { name }),
    ...(expiresAtMs !== null && { expiresAtMs }),
    ...(revokedAtMs !== null && { revokedAtMs }),
    ...(lastUsedAtMs !== null && { lastUsedAtMs }),
    ...(lastRefusedAtMs !== null && { lastRefusedAtMs }),
  };
}

function toStoredCredential([hash, pepperId, ...row]: StoredCredentialRow): StoredCredential {
  return { ...toCredential(row), hash, ...(pepperId !== null && { pepperId }) };
}

/** In the order of the statement `addCredential`. */
function toParameters(credential: StoredCredential) {
  return [
    credential.kind,
    credential.id,
    Buffer.from(credential.hash),
    credential.pepperId ?? null,
    credential.createdAtMs,
    credential.name ?? null,
    credential.expiresAtMs ?? null,
    credential.revokedAtMs ?? null,
    credential.lastUsedAtMs ?? null,
    credential.lastRefusedAtMs ?? null,
    credential.accountId,
  ];
}
