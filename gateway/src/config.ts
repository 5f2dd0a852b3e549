import {
  operationsVariables,
  readOperations,
  type LogLevel,
  type OperationsConfig,
} from '@jobs-delete/runtime/config/operations-config';
import { integer, oneOf } from '@jobs-delete/runtime/config/variables';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import {
  deleterAccessVariables,
  readDeleterAccess,
  type DeleterAccess,
} from '@jobs-delete/proto/deleter-access';
import { maxJobsVariables } from '@jobs-delete/proto/max-jobs';
import {
  publicTlsVariables,
  readPublicTls,
  type PublicTlsFiles,
} from '@jobs-delete/runtime/tls/certificates';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { trialSecretProblems, trialSecretsVariables } from '@jobs-delete/runtime/config/secrets';
import {
  apiAddressVariables,
  accountsVariables,
  readAccountsConfig,
  type AccountsConfig,
} from '@jobs-delete/accounts/accounts-config';
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

export const gatewayVariables = {
  ...apiAddressVariables,
  DOCS: oneOf(['on', 'off'], 'on').describe(
    '`off` answers 404 for `/openapi.json`, `/docs` and `/problems/…`',
  ),
  CORS: oneOf(['off', 'allowed-domains'], 'off').describe(
    '`allowed-domains` lets browsers call the API from the allowed domains of accounts; any page can read a refusal',
  ),
  ...publicTlsVariables,
  ...maxJobsVariables,
  MAX_BODY_BYTES: integer(1, 67_108_864, 4_194_304).describe('largest body; a larger one gets 413'),
  KEEP_ALIVE_TIMEOUT_MS: integer(0, 3_600_000, 65_000).describe(
    'time that an idle connection waits for the next request; must be longer than the idle timeout of a load balancer before the gateways',
  ),
  ...accountsVariables,
  ...trialSecretsVariables,
  ...deleterAccessVariables,
  ...protectionVariables,
  ...operationsVariables,
};

/** Constants: no installation needs to change them. Tests give `startGateway` shorter times. */
const constants = {
  // Node's default. The headers of a request are below 2 KiB, and proxies refuse more than 8 to 16 KiB.
  maxHeaderBytes: 16_384,
  // Most callers and proxies wait for 15 s or longer, so the gateway's own 503 comes first.
  answerTimeoutMs: 10_000,
  // Headers fit into a few packets.
  headersTimeoutMs: 10_000,
  // Enough for 4 MiB at 0.6 Mbit/s.
  requestTimeoutMs: 60_000,
  // A connection without traffic for so long is dead.
  idleTimeoutMs: 30_000,
};

/** @throws StartupError naming every wrong variable */
export function readGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const values = readEnvironment(gatewayVariables, env);
  const { accounts, ...ofAccounts } = readAccountsConfig(values);
  const { access, problems: accessProblems } = readDeleterAccess(values);
  const { files: publicTls, problems: publicTlsProblems } = readPublicTls(values);
  const secrets = { ...ofAccounts.secrets, GRPC_SERVICE_TOKENS: access.serviceToken };
  const problems = [
    ...accessProblems,
    ...publicTlsProblems,
    ...trialSecretProblems(values, secrets),
    ...ofAccounts.problems,
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
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
    maxJobsPerRequest: values.MAX_JOBS_PER_REQUEST,
    maxBodyBytes: values.MAX_BODY_BYTES,
    keepAliveTimeoutMs: values.KEEP_ALIVE_TIMEOUT_MS,
    ...constants,
    protection: readProtection(values),
    ...readOperations(values),
    logLevel: values.LOG_LEVEL,
  });
}
