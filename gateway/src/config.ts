import { logLevels, type LogLevel } from '@jobs-delete/runtime/telemetry/logger';
import {
  operationsVariables,
  readOperations,
  type OperationsConfig,
} from '@jobs-delete/runtime/config/operations-config';
import { addressVariable } from '@jobs-delete/runtime/config/http-url';
import { integer, oneOf, readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import {
  deleterAccessVariables,
  readDeleterAccess,
  type DeleterAccess,
} from '@jobs-delete/runtime/net/deleter-access';
import {
  publicTlsVariables,
  readPublicTls,
  type PublicTlsFiles,
} from '@jobs-delete/runtime/tls/public-certificate';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { trialSecretProblems, trialSecretsVariables } from '@jobs-delete/runtime/config/trial-secrets';
import {
  accountsVariables,
  readAccountsConfig,
  type AccountsConfig,
} from '@jobs-delete/accounts/accounts-config';
import { z } from 'zod';
import { protectionVariables, readProtection, type ProtectionConfig } from './protection-config.ts';

/** The database of the accounts has the rate limits too. */
export interface GatewayConfig extends AccountsConfig, DeleterAccess {
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
  /** The address of the API without the base path and without a final slash. Empty if unknown. */
  readonly publicUrl: string;
  /** Serves the public documents. */
  readonly docs: boolean;
  /** Certificate of the public port; undefined for HTTP without TLS. */
  readonly publicTls: PublicTlsFiles | undefined;
  /** Lets pages of other origins call the API. */
  readonly cors: boolean;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  /** Maximum time from a complete request to its answer. */
  readonly answerTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly protection: ProtectionConfig;
  readonly shutdownTimeoutMs: number;
  readonly operations: OperationsConfig;
  readonly logLevel: LogLevel;
}

const gatewayVariables = {
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535, 8_080),
  BASE_PATH: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, { error: 'must be a path such as /api, without a slash at its end' })
    .default(''),
  PUBLIC_URL: addressVariable(
    'must be an address such as https://api.example.com, without BASE_PATH',
  ).default(''),
  DOCS: oneOf(['on', 'off'], 'on'),
  CORS: oneOf(['off', 'allowed-domains'], 'off'),
  ...accountsVariables,
  ...trialSecretsVariables,
  ...deleterAccessVariables,
  ...publicTlsVariables,
  MAX_JOBS_PER_REQUEST: integer(1, 10_000, 10_000),
  MAX_BODY_BYTES: integer(1, 67_108_864, 4_194_304),
  MAX_HEADER_BYTES: integer(1_024, 1_048_576, 16_384),
  ANSWER_TIMEOUT_MS: integer(1_000, 300_000, 10_000),
  HEADERS_TIMEOUT_MS: integer(100, 600_000, 10_000),
  REQUEST_TIMEOUT_MS: integer(100, 600_000, 60_000),
  KEEP_ALIVE_TIMEOUT_MS: integer(0, 3_600_000, 65_000),
  IDLE_TIMEOUT_MS: integer(1_000, 3_600_000, 30_000),
  ...protectionVariables,
  ...operationsVariables,
  LOG_LEVEL: oneOf(logLevels, 'info'),
};

type GatewayVariables = z.output<z.ZodObject<typeof gatewayVariables>>;

/** @throws StartupError naming every wrong variable */
export function readGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const values = readEnvironment(gatewayVariables, env);
  const { accounts, ...ofAccounts } = readAccountsConfig(values);
  const { access, problems: accessProblems } = readDeleterAccess(values);
  const { publicTls, problems: publicTlsProblems } = readPublicTls(values);
  const secrets = { ...ofAccounts.secrets, GRPC_SERVICE_TOKENS: access.serviceToken };
  const problems = [
    ...accessProblems,
    ...publicTlsProblems,
    ...trialSecretProblems(values, secrets),
    ...ofAccounts.problems,
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
  const limits = { maxJobsPerRequest: values.MAX_JOBS_PER_REQUEST, maxBodyBytes: values.MAX_BODY_BYTES };
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    basePath: values.BASE_PATH,
    publicUrl: values.PUBLIC_URL,
    docs: values.DOCS === 'on',
    cors: values.CORS === 'allowed-domains',
    ...accounts,
    ...access,
    publicTls,
    ...limits,
    maxHeaderBytes: values.MAX_HEADER_BYTES,
    ...readTimeouts(values),
    protection: readProtection(values, limits),
    ...readOperations(values),
    logLevel: values.LOG_LEVEL,
  });
}

function readTimeouts(values: GatewayVariables) {
  return {
    answerTimeoutMs: values.ANSWER_TIMEOUT_MS,
    headersTimeoutMs: Math.min(values.HEADERS_TIMEOUT_MS, values.REQUEST_TIMEOUT_MS),
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: values.KEEP_ALIVE_TIMEOUT_MS,
    idleTimeoutMs: values.IDLE_TIMEOUT_MS,
  };
}
