import { pepperProblem } from '@jobs-delete/accounts/pepper/load-pepper';
import {
  operationsVariables,
  readOperations,
  type OperationsConfig,
} from '@jobs-delete/runtime/config/operations-config';
import { integer, oneOf, readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { serviceTokensVariable } from '@jobs-delete/runtime/config/service-tokens';
import {
  accountsDatabaseVariables,
  readAccountsDatabase,
  readStorage,
  storageVariables,
  type DatabaseUrl,
  type Storage,
} from '@jobs-delete/runtime/config/storage-url';
import { trialSecretProblems, trialSecretsVariables } from '@jobs-delete/runtime/config/trial-secrets';
import { trustProxyVariable, type TrustProxy } from '@jobs-delete/runtime/net/trust-proxy';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { logLevels, type LogLevel } from '@jobs-delete/runtime/telemetry/logger';
import { readTlsFiles, tlsVariables, type TlsFiles } from '@jobs-delete/runtime/tls/certificates';
import { z } from 'zod';
import { openIdVariables, readOpenId, type OpenIdSettings } from './sign-in/openid/openid-settings.ts';

export interface DashboardConfig extends Pick<Storage, 'dataDir'> {
  /** The database of accounts and people. */
  readonly database: DatabaseUrl;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The address of the dashboard without a final slash. Undefined: `http://localhost:PORT`. */
  readonly publicUrl: string | undefined;
  /** The address of the API, with its base path and without a final slash. */
  readonly apiUrl: string;
  /** Where the dashboard itself reaches the API, in the same form. Undefined: at `apiUrl`. */
  readonly internalApiUrl: string | undefined;
  readonly credentialPepper: string | undefined;
  readonly previousCredentialPepper: string | undefined;
  readonly deleterAddress: string;
  /** Authenticates the dashboard to the deleter service, as a caller that may only read. */
  readonly serviceToken: string | undefined;
  /** Read again when it changes. */
  readonly serviceTokensFile: string | undefined;
  readonly deleterTls: TlsFiles | undefined;
  /** Undefined: people sign in only by passkey and password. */
  readonly openId: OpenIdSettings | undefined;
  readonly trustProxy: TrustProxy;
  readonly shutdownTimeoutMs: number;
  readonly operations: OperationsConfig;
  readonly logLevel: LogLevel;
}

const addressVariable = (example: string) =>
  z
    .string()
    .regex(/^https?:\/\/[^\s/?#@\\]+(?:\/[A-Za-z0-9._~-]+)*\/?$/, {
      error: `must be an address such as ${example}`,
    })
    .transform((url) => url.replace(/\/$/, ''));

const pepperVariable = z.string().min(32, { error: 'must have at least 32 characters' }).optional();

const dashboardVariables = {
  HOST: z.string().default('127.0.0.1'),
  DASHBOARD_PORT: integer(0, 65_535, 8_081),
  DASHBOARD_URL: z
    .string()
    .regex(/^https?:\/\/[^\s/?#@\\]+\/?$/, {
      error: 'must be an address without a path, such as https://dashboard.example.com',
    })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
  DASHBOARD_API_URL: addressVariable('http://gateway:8080').optional(),
  PORT: integer(0, 65_535, 8_080),
  PUBLIC_URL: addressVariable('https://api.example.com').optional(),
  BASE_PATH: z.string().optional(),
  ...storageVariables,
  ...accountsDatabaseVariables,
  ...trialSecretsVariables,
  CREDENTIAL_PEPPER: pepperVariable,
  CREDENTIAL_PEPPER_PREVIOUS: pepperVariable,
  DELETER_ADDRESS: z.string().default('127.0.0.1:50051'),
  GRPC_SERVICE_TOKENS: serviceTokensVariable,
  GRPC_SERVICE_TOKENS_FILE: z.string().optional(),
  ...tlsVariables,
  ...openIdVariables,
  TRUST_PROXY: trustProxyVariable,
  ...operationsVariables,
  LOG_LEVEL: oneOf(logLevels, 'info'),
};

/** @throws ConfigurationError naming every wrong variable */
export function readDashboardConfig(env: NodeJS.ProcessEnv): DashboardConfig {
  const values = readEnvironment(dashboardVariables, env);
  const storage = readStorage(values);
  const { dataDir } = storage;
  const database = readAccountsDatabase(values, storage);
  const { CREDENTIAL_PEPPER: credentialPepper, CREDENTIAL_PEPPER_PREVIOUS: previousCredentialPepper } =
    values;
  const { tls: deleterTls, problems: tlsProblems } = readTlsFiles(values);
  const serviceToken = values.GRPC_SERVICE_TOKENS[0]?.token;
  const secrets = {
    CREDENTIAL_PEPPER: credentialPepper,
    CREDENTIAL_PEPPER_PREVIOUS: previousCredentialPepper,
    GRPC_SERVICE_TOKENS: serviceToken,
    OPENID_CLIENT_SECRET: values.OPENID_CLIENT_SECRET,
  };
  const openId = readOpenId(values);
  const problems = [
    ...tlsProblems,
    ...trialSecretProblems(values, secrets),
    typeof openId === 'string' ? openId : undefined,
    pepperProblem({ database, credentialPepper, previousCredentialPepper }),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze({
    host: values.HOST,
    port: values.DASHBOARD_PORT,
    publicUrl: values.DASHBOARD_URL,
    apiUrl: `${values.PUBLIC_URL ?? `http://127.0.0.1:${String(values.PORT)}`}${values.BASE_PATH ?? ''}`,
    internalApiUrl: values.DASHBOARD_API_URL && values.DASHBOARD_API_URL + (values.BASE_PATH ?? ''),
    dataDir,
    database,
    credentialPepper,
    previousCredentialPepper,
    deleterAddress: values.DELETER_ADDRESS,
    serviceToken,
    serviceTokensFile: values.GRPC_SERVICE_TOKENS_FILE,
    deleterTls,
    openId: openId as OpenIdSettings | undefined,
    trustProxy: values.TRUST_PROXY,
    ...readOperations(values),
    logLevel: values.LOG_LEVEL,
  });
}
