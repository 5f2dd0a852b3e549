import { existsSync } from 'node:fs';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { openEventLog } from '@jobs-delete/deleter-service/event-log/open-event-log';
import { openStore } from '@jobs-delete/deleter-service/store/open-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { Account, Accounts } from '@jobs-delete/accounts/accounts';
import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { type AuditEntry, newAuditEntry, operator } from '@jobs-delete/accounts/people/audit-trail';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { CliConfig } from './config.ts';
import type { Io } from './io.ts';
import { printable } from './printable.ts';
import { Refusal } from './refusal.ts';

/**
 * Opens the accounts while `use` runs. Creates no database file, to detect a mistyped DATA_DIR.
 * @throws Refusal when there is no database, StartupError when it cannot be opened
 */
export async function withAccounts<Result>(
  config: CliConfig,
  use: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  requireDatabase(config.accountsDatabase);
  return withNewAccounts(config, use);
}

/** Like withAccounts, but creates a missing database file. */
export async function withNewAccounts<Result>(
  { accountsDatabase }: CliConfig,
  use: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  const accounts = await openAccounts(accountsDatabase);
  try {
    return await use(accounts);
  } finally {
    await accounts.close();
  }
}

/** Opens the store while `use` runs. @throws Refusal, StartupError like withAccounts */
export async function withStore<Result>(
  config: CliConfig,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  requireDatabase(config.database);
  const store = await openStore(config.database, { jobsMapping: config.jobsMapping });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Opens the event log while `use` runs. @throws Refusal, StartupError like withAccounts */
export async function withEventLog<Result>(
  { eventLog: url }: CliConfig,
  use: (eventLog: EventLog) => Promise<Result>,
): Promise<Result> {
  if ('path' in url && !existsSync(url.path)) {
    throw new Refusal(
      `There is no event log at ${url.path}. Run jobs-delete serve to create it, or set DATA_DIR if it is elsewhere.`,
    );
  }
  const eventLog = await openEventLog(url);
  try {
    return await use(eventLog);
  } finally {
    await eventLog.close();
  }
}

/** @throws Refusal when there is no such account */
export async function requireAccount(accounts: Accounts, accountId: string): Promise<Account> {
  const account = await accounts.findAccount(accountId);
  if (account === undefined) throw noAccount(accountId);
  return account;
}

export function noAccount(accountId: string): Refusal {
  return new Refusal(`There is no account ${printable(accountId)}. List them: jobs-delete accounts list`);
}

function requireDatabase(database: DatabaseUrl): void {
  if (!('path' in database) || existsSync(database.path)) return;
  throw new Refusal(
    `There is no database at ${database.path}. Run jobs-delete serve or jobs-delete accounts create to create it, ` +
      'or set DATA_DIR or DATABASE_URL if it is elsewhere.',
  );
}

/** Returns the audit entry of an action of the command line. The method that makes the change stores it. */
export function operationEntry(
  { now }: Pick<Io, 'now'>,
  operation: Pick<AuditEntry, 'accountId' | 'action' | 'subject'>,
): AuditEntry {
  return newAuditEntry({ ...operation, actor: operator }, now());
}
