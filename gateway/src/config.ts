import { operationsVariables, readOperations } from '@jobs-delete/runtime/config/operations-config';
import { integer, oneOf } from '@jobs-delete/runtime/config/variables';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import {
  deleterAccessVariables,
  maxJobsVariables,
  readDeleterAccess,
} from '@jobs-delete/proto/service-tokens';
import { publicTlsVariables, readPublicTls } from '@jobs-delete/runtime/tls/certificates';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { trialSecretProblems, trialSecretsVariables } from '@jobs-delete/runtime/config/secrets';
import {
  apiAddressVariables,
  accountsVariables,
  readAccountsConfig,
  unauthenticatedLimits,
} from '@jobs-delete/accounts/accounts-config';
import { trustProxyVariables } from '@jobs-delete/runtime/net/remote-address';
import type { z } from 'zod';

/** The database of the accounts has the rate limits too. */
export type GatewayConfig = ReturnType<typeof readGatewayConfig>;

export type ProtectionConfig = ReturnType<typeof readProtection>;

/** Variables of the gateway's limits. A rate of 0 means no limit. */
export const protectionVariables = {
  RATE_LIMIT_REQUESTS: integer(0, 1_000_000_000, 0).describe(
    'requests of an account in a window; then 429; 0 means no limit',
  ),
  RATE_LIMIT_JOBS: integer(0, 1_000_000_000, 0).describe(
    'jobs in the requests of an account in a window, accepted or not; then 429; 0 means no limit',
  ),
  RATE_LIMIT_WINDOW_SECONDS: integer(1, 86_400, 60).describe('length of that window'),
  FAILED_AUTHENTICATIONS_LIMIT: integer(0, 1_000_000, 60_000).describe(
    'failed authentications of an address (IPv6: of a /64 network) in a minute; then 429; 0 means no limit',
  ),
  ...trustProxyVariables,
};

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

/** docs/decisions/admission.md explains the limits of requests. */
const requestLimits = {
  // Each holds a connection and no work, so the memory of a gateway is the bound.
  maxWaitingRequests: 1_000,
  load: {
    // Bounds the queue in front of a slow deleter: a higher limit only makes requests slower.
    maxConcurrent: 1_024,
    // A quarter of a pod of 1 GiB. One account may use three quarters: at least two of the largest bodies.
    maxBufferedBytes: 268_435_456,
  },
};

/** Longer than a count takes, and short beside the answer timeout. */
const rateLimitTimeoutMs = 250;

/** Long enough for an average, and short enough to wait for. */
const failureWindowSeconds = 60;

/** @throws StartupError naming every wrong variable */
export function readGatewayConfig(env: NodeJS.ProcessEnv) {
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
    // Without a base path and a final slash. Empty if unknown.
    publicUrl: values.PUBLIC_URL,
    docs: values.DOCS === 'on',
    cors: values.CORS === 'allowed-domains',
    ...accounts,
    ...access,
    // Undefined for HTTP without TLS.
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

/** @throws ConfigurationError */
function readProtection(values: z.output<z.ZodObject<typeof protectionVariables & typeof maxJobsVariables>>) {
  const { RATE_LIMIT_JOBS: jobs, MAX_JOBS_PER_REQUEST: maxJobsPerRequest } = values;
  if (jobs > 0 && jobs < maxJobsPerRequest)
    throw new ConfigurationError([
      'RATE_LIMIT_JOBS: must be 0 or at least MAX_JOBS_PER_REQUEST: otherwise the largest request never passes',
    ]);
  return {
    ...unauthenticatedLimits,
    ...requestLimits,
    rateLimits: {
      requests: values.RATE_LIMIT_REQUESTS,
      jobs,
      windowSeconds: values.RATE_LIMIT_WINDOW_SECONDS,
      timeoutMs: rateLimitTimeoutMs,
    },
    failedAuthentications: {
      limit: values.FAILED_AUTHENTICATIONS_LIMIT,
      windowSeconds: failureWindowSeconds,
    },
    trustProxy: values.TRUST_PROXY,
  };
}
