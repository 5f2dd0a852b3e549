import { existsSync } from 'node:fs';
import type { EventLog } from '@jobs-delete/deleter-service/event-log/event-log';
import { eventLogAdapter } from '@jobs-delete/deleter-service/event-log/open-event-log';
import { storeAdapter } from '@jobs-delete/deleter-service/store/open-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { Account, Accounts } from '@jobs-delete/accounts/accounts';
import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { type AuditEntry, newAuditEntry, operator } from '@jobs-delete/accounts/people/audit-trail';
import type { DatabaseUrl, KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { messageOf } from '@jobs-delete/runtime/fault';
import { readCliConfig } from './config.ts';
import type { Io } from './io.ts';
import { printable } from './report.ts';
import { Refusal } from './refusal.ts';

type Environment = Pick<Io, 'env'>;

/**
 * Opens the accounts while `use` runs. Creates no database file, to detect a mistyped DATA_DIR.
 * @throws Refusal when there is no database, StartupError when it cannot be opened
 */
export async function withAccounts<Result>(
  io: Environment,
  use: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  requireDatabase(readCliConfig(io.env).accounts.database);
  return withNewAccounts(io, use);
}

/** Like withAccounts, but creates a missing database file. */
export async function withNewAccounts<Result>(
  { env }: Environment,
  use: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  return closing(await openAccounts(readCliConfig(env).accounts.database), use);
}

/** Like withAccounts, for the command of an account. @throws Refusal also when there is no such account */
export function withAccount<Result>(
  io: Environment,
  accountId: string,
  use: (accounts: Accounts, account: Account) => Promise<Result>,
): Promise<Result> {
  return withAccounts(io, async (accounts) => {
    const account = await accounts.findAccount(accountId);
    if (account === undefined) throw noAccount(accountId);
    return use(accounts, account);
  });
}

/** @throws Refusal when there is no such account. Accepts undefined: all accounts. */
export async function requireAccount(io: Environment, accountId: string | undefined): Promise<void> {
  if (accountId !== undefined) await withAccount(io, accountId, () => Promise.resolve());
}

/** Opens the store while `use` runs. @throws Refusal, StartupError like withAccounts */
export async function withStore<Result>(
  { env }: Environment,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { database, jobsMapping } = readCliConfig(env);
  requireDatabase(database);
  return closing(await storeAdapter(database).open({ jobsMapping }), use);
}

/** Opens the event log while `use` runs. @throws Refusal, StartupError like withAccounts */
export async function withEventLog<Result>(
  { env }: Environment,
  use: (eventLog: EventLog) => Promise<Result>,
): Promise<Result> {
  const { eventLog: url } = readCliConfig(env);
  if ('path' in url && !existsSync(url.path)) {
    throw new Refusal(
      `There is no event log at ${url.path}. Run jobs-delete serve to create it, or set DATA_DIR if it is elsewhere.`,
    );
  }
  return closing(await eventLogAdapter(url).open(), use);
}

/** @throws Refusal if `use` fails */
export async function onKafka<Result>({ brokers }: KafkaUrl, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const reason = messageOf(error);
    throw new Refusal(`The event log at ${brokers.join(',')} cannot be used: ${reason}`);
  }
}

/** Closes what is opened when `use` ends. */
export async function closing<Opened extends { close(): Promise<void> }, Result>(
  opened: Opened,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
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
