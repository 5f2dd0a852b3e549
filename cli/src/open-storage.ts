import { existsSync } from 'node:fs';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { openEventLog } from '@jobs-delete/deleter-service/event-log/open-event-log';
import { openStore } from '@jobs-delete/deleter-service/store/open-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { Account, Accounts } from '@jobs-delete/accounts/accounts';
import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import type { CliConfig } from './config.ts';
import { printable } from './printable.ts';
import { Refusal } from './refusal.ts';

/**
 * Each opens one part of the storage for as long as `use` takes. None but withNewAccounts makes a database file: a
 * mistyped DATA_DIR is to be noticed, not answered with "no jobs".
 * @throws Refusal when there is none, StartupError when it can't be opened
 */
export async function withAccounts<Result>(
  config: CliConfig,
  use: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  requireDatabase(config);
  return withNewAccounts(config, use);
}

/** Makes the database file where there is none. */
export async function withNewAccounts<Result>(
  { database }: CliConfig,
  use: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  const accounts = await openAccounts(database);
  try {
    return await use(accounts);
  } finally {
    await accounts.close();
  }
}

export async function withStore<Result>(
  config: CliConfig,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  requireDatabase(config);
  const store = await openStore(config.database, { jobsMapping: config.jobsMapping });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

export async function withEventLog<Result>(
  { eventLog: url }: CliConfig,
  use: (eventLog: EventLog) => Promise<Result>,
): Promise<Result> {
  if (url.kind === 'embedded' && !existsSync(url.path)) {
    throw new Refusal(
      `There is no event log at ${url.path}: jobs-delete serve creates it. If it is elsewhere, set DATA_DIR.`,
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
  return new Refusal(`There is no account ${printable(accountId)}: jobs-delete accounts list shows them.`);
}

function requireDatabase({ database }: CliConfig): void {
  if (database.kind !== 'sqlite' || existsSync(database.path)) return;
  throw new Refusal(
    `There is no database at ${database.path}: jobs-delete serve or jobs-delete accounts create creates it. ` +
      'If it is elsewhere, set DATA_DIR or DATABASE_URL.',
  );
}
