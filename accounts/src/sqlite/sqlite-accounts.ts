import { types } from 'node:util';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { callInThread, callHere } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import type { Account, Accounts, Domains } from '../accounts.ts';
import { accountsSchema } from './sqlite-accounts-schema.ts';
import { auditCalls, createRecording, type Recording } from './sqlite-audit-trail.ts';
import { credentialCalls, pepperCalls } from './sqlite-credentials.ts';
import { oneTimeSecretCalls } from './sqlite-one-time-secrets.ts';
import { personCalls, sessionCalls } from './sqlite-people.ts';
import { refusalCalls } from './sqlite-refusals.ts';
import { createStatements, type Calls, type Statements } from './statements.ts';

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

/** Restores the Buffers in the results of a thread, which sends each Buffer as a Uint8Array. */
function withBuffers<Methods extends object>(methods: Methods): Methods {
  const restored = Object.entries(methods).map(([name, method]) => [
    name,
    async (...values: readonly unknown[]) =>
      restore(await (method as (...values: readonly unknown[]) => unknown)(...values)),
  ]);
  // Casts: the same names and methods.
  return Object.fromEntries(restored) as Methods;
}

/** Copies lists and plain objects, the only values that hold others in a result. */
function restore(value: unknown): unknown {
  if (types.isUint8Array(value)) return Buffer.from(value);
  if (Array.isArray(value)) return value.map(restore);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restore(member)]));
}

/** Runs in a thread or in the caller's. */
export function openAccountsCalls(path: string): Calls<Accounts> & { close(): void } {
  const database = openSqlite(path, accountsSchema);
  // Only some builds of SQLite have this on by default.
  database.exec('PRAGMA foreign_keys=ON');
  const sql = createStatements(database);
  const recording = createRecording(sql);
  return {
    ...accountCalls(sql),
    ...domainCalls(sql, recording),
    ...credentialCalls(sql, recording),
    ...pepperCalls(sql),
    ...personCalls(sql, recording),
    ...sessionCalls(sql, recording),
    ...oneTimeSecretCalls(sql, recording),
    ...auditCalls(sql),
    ...refusalCalls(sql),
    close: () => {
      database.close();
    },
  };
}

type AccountCalls = Calls<
  Pick<Accounts, 'addAccount' | 'findAccount' | 'findAccounts' | 'listAccounts' | 'changeAccount'>
>;

function accountCalls(sql: Statements): AccountCalls {
  const select = 'SELECT id, name, created_at_ms, disabled_at_ms FROM accounts';
  const find = (id: string) => sql.get<Account>(`${select} WHERE id = ?`, id);
  return {
    addAccount: ({ id, name, createdAtMs }) => {
      const add =
        'INSERT INTO accounts (id, name, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING';
      return sql.run(add, id, name, createdAtMs) === 1 ? 'added' : 'exists';
    },
    findAccount: find,
    findAccounts: (ids) => ids.flatMap((id) => find(id) ?? []),
    listAccounts: () => sql.all(`${select} ORDER BY created_at_ms, id`),
    changeAccount: (id, change) => {
      if ('name' in change) sql.run('UPDATE accounts SET name = ? WHERE id = ?', change.name, id);
      else if (change.disabledAtMs === null)
        sql.run('UPDATE accounts SET disabled_at_ms = NULL WHERE id = ?', id);
      else {
        const first = 'disabled_at_ms = coalesce(disabled_at_ms, ?)';
        sql.run(`UPDATE accounts SET ${first} WHERE id = ?`, change.disabledAtMs, id);
      }
      return find(id);
    },
  };
}

function domainCalls(sql: Statements, recording: Recording): Calls<Domains> {
  const own = 'FROM allowed_domains WHERE account_id = ? ORDER BY domain';
  return {
    allowDomain: (accountId, domain, entry) => {
      if (sql.get('SELECT id FROM accounts WHERE id = ?', accountId) === undefined) return 'no_account';
      const allow = 'INSERT INTO allowed_domains (account_id, domain) VALUES (?, ?) ON CONFLICT DO NOTHING';
      recording(entry, () => sql.run(allow, accountId, domain));
      return 'allowed';
    },
    listDomains: (accountId) => {
      return sql.all<{ domain: string }>(`SELECT domain ${own}`, accountId).map(({ domain }) => domain);
    },
    listDomainUses: (accountId) => sql.all(`SELECT domain, last_used_at_ms ${own}`, accountId),
    recordDomainUse: (domains, atMs) => {
      const raise = 'UPDATE allowed_domains SET last_used_at_ms = max(?, coalesce(last_used_at_ms, 0))';
      sql.write(() => {
        for (const { accountId, domain } of domains)
          sql.run(`${raise} WHERE account_id = ? AND domain = ?`, atMs, accountId, domain);
      });
    },
    removeDomain: (accountId, domain, entry) =>
      recording(entry, () => {
        const remove = 'DELETE FROM allowed_domains WHERE account_id = ? AND domain = ?';
        return sql.run(remove, accountId, domain) === 1;
      }),
  };
}
