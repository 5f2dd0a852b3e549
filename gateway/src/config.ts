import { logLevels, type LogLevel } from '@jobs-delete/runtime/telemetry/logger';
import {
  operationsVariables,
  readOperations,
  type OperationsConfig,
} from '@jobs-delete/runtime/config/operations-config';
import { integer, oneOf, readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { readTlsFiles, tlsVariables, type TlsFiles } from '@jobs-delete/runtime/tls/certificates';
import { serviceTokensVariable } from '@jobs-delete/runtime/config/service-tokens';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { readStorage, storageVariables, type Storage } from '@jobs-delete/runtime/config/storage-url';
import { z } from 'zod';
import { protectionVariables, readProtection, type ProtectionConfig } from './protection-config.ts';

export interface GatewayConfig extends Pick<Storage, 'dataDir' | 'database'> {
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
  readonly credentialPepper: string | undefined;
  /** Of the deleter service. Of several addresses, listed or behind a `dns:///` name, each gets its share of calls. */
  readonly deleterAddress: string;
  /** What the gateway authenticates with there. */
  readonly serviceToken: string | undefined;
  /** By which the two know each other; undefined for gRPC without TLS. */
  readonly deleterTls: TlsFiles | undefined;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  /** How long a caller waits at most for an answer of ours, once its request is complete. */
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

/** @throws StartupError naming every wrong variable */
export function readGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const values = readEnvironment(
    {
      HOST: z.string().default('0.0.0.0'),
      PORT: integer(0, 65_535, 8_080),
      BASE_PATH: z
        .string()
        .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, {
          error: 'must be a path such as /api, without a slash at its end',
        })
        .default(''),
      ...storageVariables,
      CREDENTIAL_PEPPER: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
      DELETER_ADDRESS: z
        .string()
        .regex(/^(?:(?:dns:\/\/\/)?[^\s:/,]+:\d+|ipv4:\d[\d.:,]+)$/, {
          error: 'must be HOST:PORT, dns:///HOST:PORT or ipv4:ADDRESS:PORT,ADDRESS:PORT',
        })
        .default('127.0.0.1:50051'),
      GRPC_SERVICE_TOKENS: serviceTokensVariable,
      ...tlsVariables,
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
    },
    env,
  );
  const { dataDir, database } = readStorage(values);
  const { tls, problems: ofFiles } = readTlsFiles(values);
  const problems = [...ofFiles];
  if (database.kind === 'mongodb' && values.CREDENTIAL_PEPPER === undefined)
    problems.push('CREDENTIAL_PEPPER: must be set, the same for every gateway of the database');
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { MAX_JOBS_PER_REQUEST: maxJobsPerRequest, MAX_BODY_BYTES: maxBodyBytes } = values;
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    basePath: values.BASE_PATH,
    dataDir,
    database,
    credentialPepper: values.CREDENTIAL_PEPPER,
    deleterAddress: values.DELETER_ADDRESS,
    serviceToken: values.GRPC_SERVICE_TOKENS[0]?.token,
    deleterTls: tls,
    maxJobsPerRequest,
    maxBodyBytes,
    maxHeaderBytes: values.MAX_HEADER_BYTES,
    answerTimeoutMs: values.ANSWER_TIMEOUT_MS,
    headersTimeoutMs: Math.min(values.HEADERS_TIMEOUT_MS, values.REQUEST_TIMEOUT_MS),
    requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: values.KEEP_ALIVE_TIMEOUT_MS,
    idleTimeoutMs: values.IDLE_TIMEOUT_MS,
    protection: readProtection(values, { maxJobsPerRequest, maxBodyBytes }),
    ...readOperations(values),
    logLevel: values.LOG_LEVEL,
  });
}
