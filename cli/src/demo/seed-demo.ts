import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@jobs-delete/deleter-service/store/sqlite-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { Accounts } from '@jobs-delete/gateway/accounts/accounts';
import { issueSecretKey, issueToken } from '@jobs-delete/gateway/accounts/issue-credential';
import { readPepper } from '@jobs-delete/gateway/accounts/read-pepper';
import { openSqliteAccounts } from '@jobs-delete/gateway/accounts/sqlite-accounts';
import type { GatewayConfig } from '@jobs-delete/gateway/config';

/** What DATA_DIR/demo.json holds, and a newcomer's first request needs. */
export interface Demo {
  readonly base_url: string;
  readonly account_id: string;
  readonly token: string;
  readonly secret_key: string;
  readonly origin: string;
  /** The demo jobs that can still be deleted. */
  readonly job_ids: readonly string[];
}

const accountId = 'demo';
const origin = 'https://demo.example';
const allJobIds = Array.from({ length: 1_000 }, (_, index) => `DEMO${String(index + 1).padStart(4, '0')}`);

/**
 * Makes the demo account on an empty database, and writes demo.json anew at each start. Each step can be done
 * again, and demo.json comes last: a start that was cut short is finished by the next one.
 * @returns undefined where the database holds accounts of somebody's own
 */
export async function seedDemo(config: GatewayConfig, baseUrl: string): Promise<Demo | undefined> {
  const accounts = openSqliteAccounts(config.database.path);
  const store = openSqliteStore(config.database.path);
  try {
    const existing = await accounts.listAccounts();
    if (existing.some(({ id }) => id !== accountId)) return undefined;
    const path = join(config.dataDir, 'demo.json');
    const credentials = existing.length > 0 ? readCredentials(path) : undefined;
    const demo: Demo = {
      base_url: baseUrl,
      account_id: accountId,
      ...(credentials ?? (await seed(accounts, store, config))),
      origin,
      job_ids: await deletableJobIds(store),
    };
    writePrivately(path, `${JSON.stringify(demo, undefined, 2)}\n`);
    return demo;
  } finally {
    await store.close();
    accounts.close();
  }
}

async function seed(accounts: Accounts, store: Store, config: GatewayConfig) {
  const pepper = readPepper(config.dataDir, config.credentialPepper);
  const now = () => Date.now();
  await accounts.addAccount({ id: accountId, name: 'Demo', createdAtMs: now() });
  await accounts.allowDomain(accountId, origin);
  const postings = allJobIds.map((id, index) => ({ id, posting: { title: `Demo job ${String(index + 1)}` } }));
  await store.importJobs(accountId, postings, now());
  const token = await issueToken(accounts, pepper, accountId, { name: 'demo' }, now);
  const secretKey = await issueSecretKey(accounts, pepper, accountId, { name: 'demo' }, now);
  if (token.kind !== 'issued' || secretKey.kind !== 'issued') throw new Error('the demo account has vanished');
  return { token: token.text, secret_key: secretKey.text };
}

async function deletableJobIds(store: Store): Promise<string[]> {
  const jobs = await Promise.all(allJobIds.map((id) => store.findJob(accountId, id)));
  return jobs.filter((job) => job !== undefined && job.deletionId === undefined).map((job) => job?.id ?? '');
}

function readCredentials(path: string): { token: string; secret_key: string } | undefined {
  try {
    const { token, secret_key } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Demo>;
    return token && secret_key ? { token, secret_key } : undefined;
  } catch {
    return undefined;
  }
}

/** For the owner's eyes only, and whole or not at all. */
function writePrivately(path: string, text: string): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
