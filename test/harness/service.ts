import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accounts } from '@jobs-delete/accounts/accounts';
import { issueCredential, type CredentialRequest } from '@jobs-delete/accounts/credentials/credential';
import type { OpenAccounts } from '@jobs-delete/accounts/open-accounts';
import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
import { openSqliteAccounts } from '@jobs-delete/accounts/sqlite/sqlite-accounts';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { startDeleter } from '@jobs-delete/deleter-service/start-deleter';
import { openSqliteStore } from '@jobs-delete/deleter-service/store/sqlite-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import { type GatewayConfig, readGatewayConfig } from '@jobs-delete/gateway/config';
import { startGateway } from '@jobs-delete/gateway/start-gateway';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { createOwnStorage, ownStorageOf } from '../production/own-storage.ts';
import { type GatewayLimits, withLimits } from './gateway-limits.ts';
import { freePorts } from './spawn-child.ts';
import { expectNothingLeaked, keepJobIds, keepSecret, keepSecretsOf, watchedLog } from './watch-log.ts';

/** The credentials of a caller. */
export interface TestAccount {
  readonly accountId: string;
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
}

/** The actions of an operator, beside the running service. */
export interface Operator {
  readonly accounts: Accounts;
  readonly store: Store;
  createAccount(accountId: string, token?: Partial<CredentialRequest>): Promise<TestAccount>;
  importJobs(accountId: string, jobIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface TestService {
  readonly baseUrl: string;
  readonly grpcAddress: string;
  readonly dataDir: string;
  readonly operator: Operator;
  stop(): Promise<void>;
}

function gatewayConfigOf(env: NodeJS.ProcessEnv, limits: GatewayLimits = {}): GatewayConfig {
  const config = readGatewayConfig(env);
  // A busy machine must not move a count into memory.
  const rateLimits = { ...config.protection.rateLimits, timeoutMs: 60_000 };
  return withLimits(withLimits(config, { protection: { rateLimits } }), limits);
}

/** The storage of a jest project, set in its `globals`. */
const { storagePair = 'embedded' } = globalThis as { storagePair?: 'embedded' | 'production' };

/**
 * Starts gateway and deleter in this process, on free ports and in a new folder. On the production pair, they also get
 * a new database and new topics.
 */
export async function startService(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jobs-delete-test-'));
  const own = storagePair === 'production' ? await createOwnStorage(dataDir) : undefined;
  const all = {
    ...own?.env,
    DATA_DIR: dataDir,
    ...freePorts,
    ...env,
  };
  keepSecretsOf(all);
  const gatewayConfig = gatewayConfigOf(all);
  const log = createLogger(gatewayConfig.logLevel, 'test', watchedLog);
  const deleter = await startDeleter(readDeleterConfig(all), log);
  const grpcAddress = `127.0.0.1:${String(deleter.grpcPort)}`;
  const gateway = await startGateway({ ...gatewayConfig, deleterAddress: grpcAddress }, log);
  const operator = own
    ? await connectOperator(own.databaseUrl, own.env.CREDENTIAL_PEPPER)
    : openOperator(dataDir);
  return {
    baseUrl: `http://127.0.0.1:${String(gateway.port)}${gatewayConfig.basePath}`,
    grpcAddress,
    dataDir,
    operator,
    stop: async () => {
      await operator.close();
      await gateway.stop();
      await deleter.stop();
      await own?.drop();
      await rm(dataDir, { recursive: true });
      expectNothingLeaked();
    },
  };
}

/** Starts another gateway beside a running service. Its caches are empty. */
export async function startAnotherGateway(
  service: TestService,
  env: NodeJS.ProcessEnv = {},
  limits: GatewayLimits = {},
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
  const own = ownStorageOf(service.dataDir);
  const all = {
    ...own?.env,
    DATA_DIR: service.dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    ...env,
  };
  const config = gatewayConfigOf({ DELETER_ADDRESS: service.grpcAddress, ...all }, limits);
  const gateway = await startGateway(config, createLogger(config.logLevel, 'test', watchedLog));
  return { baseUrl: `http://127.0.0.1:${String(gateway.port)}${config.basePath}`, stop: gateway.stop };
}

export function openOperator(dataDir: string): Operator {
  const path = join(dataDir, 'jobs-delete.db');
  const pepper = readOrCreatePepper(dataDir);
  keepSecret(readFileSync(join(dataDir, 'credential-pepper'), 'utf8').trim());
  return operatorOf(openSqliteAccounts(path), openSqliteStore(path), pepper);
}

/** Connects an operator to a MongoDB database that has its indexes. */
export async function connectOperator(databaseUrl: string, pepper: string): Promise<Operator> {
  const { connectMongoAccounts } = await import('@jobs-delete/accounts/mongo/mongo-accounts');
  const { connectMongoStore } = await import('@jobs-delete/deleter-service/store/mongo-store');
  const accounts = await connectMongoAccounts(databaseUrl);
  return operatorOf(accounts, await connectMongoStore(databaseUrl), readOrCreatePepper('', pepper));
}

function operatorOf(accounts: OpenAccounts, store: Store, pepper: KeyObject): Operator {
  const now = () => Date.now();
  return {
    accounts,
    store,
    createAccount: async (accountId, options = {}) => {
      const origin = `https://${accountId.toLowerCase()}.example`;
      await accounts.addAccount({ id: accountId, createdAtMs: now() });
      await accounts.allowDomain(accountId, origin);
      const token = await issueCredential(accounts, pepper, { kind: 'token', accountId, ...options }, now);
      const secretKey = await issueCredential(accounts, pepper, { kind: 'secret-key', accountId }, now);
      if (token.kind !== 'issued' || secretKey.kind !== 'issued')
        throw new Error('the account does not exist');
      keepSecret(token.text, secretKey.text);
      return { accountId, token: token.text, secretKey: secretKey.text, origin };
    },
    importJobs: async (accountId, jobIds) => {
      keepJobIds(jobIds);
      for (let from = 0; from < jobIds.length; from += 1_000) {
        const postings = jobIds.slice(from, from + 1_000).map((id) => ({ id, posting: {} }));
        await store.importJobs(accountId, postings, now());
      }
    },
    close: async () => {
      await store.close();
      await accounts.close();
    },
  };
}
