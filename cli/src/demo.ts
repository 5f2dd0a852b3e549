import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeAdapter } from '@jobs-delete/deleter-service/store/open-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { Accounts, CredentialKind } from '@jobs-delete/accounts/accounts';
import { createAuthenticator } from '@jobs-delete/accounts/authenticator';
import { issueCredential } from '@jobs-delete/accounts/credentials/credential';
import {
  type AuditAction,
  type AuditEntry,
  credentialSubject,
  newAuditEntry,
  operator,
} from '@jobs-delete/accounts/people/audit-trail';
import { type Peppers, loadPeppers } from '@jobs-delete/accounts/pepper/load-pepper';
import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { DashboardConfig } from '@jobs-delete/dashboard/config';
import type { GatewayConfig } from '@jobs-delete/gateway/config';
import { Fault, messageOf } from '@jobs-delete/runtime/fault';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import { replacePrivateFile } from '@jobs-delete/runtime/files/private-files';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { demoOrigin, titleOf } from './demo-values.ts';

interface Credentials {
  readonly token: string;
  readonly secret_key: string;
}

/** The contents of DATA_DIR/demo.json, for a first request. */
export interface Demo extends Credentials {
  readonly base_url: string;
  readonly account_id: string;
  readonly origin: string;
  /** The demo jobs that can still be deleted. */
  readonly job_ids: readonly string[];
}

const demoAccountId = 'demo';
const allJobIds = Array.from({ length: 1_000 }, (_, index) => `DEMO${String(index + 1).padStart(4, '0')}`);

/**
 * Creates the demo account in an empty database and writes demo.json at each start. Keeps credentials that still
 * work. All steps can be repeated, and demo.json is last: the next start completes an interrupted one.
 * Returns undefined if the database has other accounts.
 * @param reset adds deleted demo jobs again
 * @throws StartupError when it cannot write to the database or demo.json
 */
export async function seedDemo(
  config: GatewayConfig,
  jobsDatabase: DatabaseUrl,
  baseUrl: string,
  reset = false,
): Promise<Demo | undefined> {
  const accounts = await openAccounts(config.database);
  const store = await storeAdapter(jobsDatabase).open();
  try {
    const existing = await accounts.listAccounts();
    if (existing.some(({ id }) => id !== demoAccountId)) return undefined;
    const path = join(config.dataDir, 'demo.json');
    const peppers = await loadPeppers(accounts, config);
    const found = existing.length > 0 ? readCredentials(path) : undefined;
    const works = found !== undefined && (await doCredentialsWork(found, accounts, peppers));
    if (works && reset) await addJobs(store);
    const demo: Demo = {
      base_url: baseUrl,
      account_id: demoAccountId,
      ...(works ? found : await seed(accounts, store, peppers.pepper)),
      origin: demoOrigin,
      job_ids: await deletableJobIds(store),
    };
    await allowDocumentation(accounts, baseUrl);
    writePrivately(path, `${JSON.stringify(demo, undefined, 2)}\n`);
    return demo;
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'internal') throw error;
    throw new StartupError(`Cannot add the demo data to the database: ${error.message}`, { cause: error });
  } finally {
    await store.close();
    await accounts.close();
  }
}

async function seed(accounts: Accounts, store: Store, pepper: KeyObject): Promise<Credentials> {
  const now = () => Date.now();
  await accounts.addAccount({ id: demoAccountId, name: 'Demo Staffing', createdAtMs: now() });
  await allowDomain(accounts, demoOrigin);
  await addJobs(store);
  const named = { accountId: demoAccountId, name: 'demo' };
  const issue = (kind: CredentialKind) => {
    const entryOf = (id: string) => entryOn(`${kind}.created`, credentialSubject({ id, name: named.name }));
    return issueCredential(accounts, pepper, { kind, ...named, entryOf }, now);
  };
  const token = await issue('token');
  const secretKey = await issue('secret-key');
  if (token.kind !== 'issued' || secretKey.kind !== 'issued')
    throw new Error('the demo account was removed during the start');
  return { token: token.text, secret_key: secretKey.text };
}

/** The trail records the operator, who starts the service. */
function entryOn(action: AuditAction, subject: string): AuditEntry {
  return newAuditEntry({ accountId: demoAccountId, action, actor: operator, subject }, Date.now());
}

async function allowDomain(accounts: Accounts, domain: string): Promise<void> {
  await accounts.allowDomain(demoAccountId, domain, entryOn('domain.allowed', domain));
}

/** Adds the demo jobs that the account does not have. */
async function addJobs(store: Store): Promise<void> {
  const postings = allJobIds.map((id, index) => ({ id, posting: { title: titleOf(index) } }));
  await store.importJobs(demoAccountId, postings, Date.now());
}

/** Lets the documentation page send sandbox requests, under both names of this machine. */
async function allowDocumentation(accounts: Accounts, baseUrl: string): Promise<void> {
  const page = new URL(baseUrl);
  await allowDomain(accounts, page.origin);
  page.hostname = 'localhost';
  await allowDomain(accounts, page.origin);
}

async function deletableJobIds(store: Store): Promise<string[]> {
  const jobs = await Promise.all(allJobIds.map((id) => store.findJob(demoAccountId, id)));
  return jobs.filter((job) => job !== undefined && job.deletionId === undefined).map((job) => job?.id ?? '');
}

/** Returns false for credentials that are revoked or from another database. */
async function doCredentialsWork(
  { token, secret_key }: Credentials,
  accounts: Accounts,
  peppers: Peppers,
): Promise<boolean> {
  const onError = () => undefined;
  const { authenticateToken, verifySecretKey } = createAuthenticator({
    accounts,
    ...peppers,
    now: () => Date.now(),
    onError,
  });
  const caller = await authenticateToken(token);
  if (typeof caller === 'string' || caller.accountId !== demoAccountId) return false;
  return typeof (await verifySecretKey(demoAccountId, secret_key)) !== 'string';
}

function readCredentials(path: string): Credentials | undefined {
  try {
    const { token, secret_key } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Demo>;
    return token && secret_key ? { token, secret_key } : undefined;
  } catch {
    return undefined;
  }
}

function writePrivately(path: string, text: string): void {
  try {
    replacePrivateFile(path, text);
  } catch (error) {
    const reason = messageOf(error);
    throw new StartupError(`Cannot write the file ${path}: ${reason}`, { cause: error });
  }
}

/** Returns a curl command that deletes the first two remaining demo jobs. */
export function demoCurl(demo: Demo): string {
  const job = demo.job_ids.slice(0, 2).map((id) => ({ id }));
  return [
    `curl -i -X DELETE ${demo.base_url}/v1/json/jobs-delete`,
    `-H 'Authorization: Bearer ${demo.token}'`,
    `-H 'Usersecretkey: ${demo.secret_key}'`,
    `-H 'Origin: ${demo.origin}'`,
    "-H 'Content-Type: application/json'",
    "-H 'Accept-Language: en'",
    "-H 'User-Agent: demo/1.0'",
    "-H 'X-Client-Lang: curl'",
    `-d '${JSON.stringify({ jobs: { job } })}'`,
  ].join(' \\\n  ');
}

const signInLifetimeMs = 24 * 3_600_000;

/** Always the same person: each start of the service finds it. It has no passkey, so only the operator's link signs it in. */
const demoOwnerId = 'de00000000000000000000de';

/**
 * Returns the operator's link: it signs in to the demo account once, as its owner.
 * @param isSeeded If false, returns undefined unless an earlier start created the demo account.
 * @throws Fault
 */
export async function createDemoSignIn(
  config: Pick<DashboardConfig, 'database'>,
  dashboardUrl: string,
  isSeeded: boolean,
): Promise<string | undefined> {
  const accounts = await openAccounts(config.database);
  try {
    if (!isSeeded && (await accounts.findPerson(demoOwnerId)) === undefined) return undefined;
    const secret = newSecret();
    await accounts.addPerson(demoOwner());
    await accounts.addOneTimeSecret({
      kind: 'sign-in',
      hash: hashSecret(secret),
      expiresAtMs: Date.now() + signInLifetimeMs,
      data: { accountId: demoAccountId, personId: demoOwnerId },
    });
    return `${dashboardUrl}/link/${secret}`;
  } finally {
    await accounts.close();
  }
}

function demoOwner(): Person {
  const membership = { accountId: demoAccountId, role: 'owner', email: 'owner@demo.example' } as const;
  return { id: demoOwnerId, createdAtMs: Date.now(), memberships: [membership], passkeys: [] };
}
