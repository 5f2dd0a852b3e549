import { logLevels, type LogLevel } from '@jobs-delete/runtime/telemetry/logger';
import {
  operationsVariables,
  readOperations,
  type OperationsConfig,
} from '@jobs-delete/runtime/config/operations-config';
import { isLoopback } from '@jobs-delete/runtime/config/loopback';
import { integer, oneOf, readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { readTlsFiles, tlsVariables, type TlsFiles } from '@jobs-delete/runtime/tls/certificates';
import { readStorage, storageVariables, type Storage } from '@jobs-delete/runtime/config/storage-url';
import { trialSecretProblems, trialSecretsVariables } from '@jobs-delete/runtime/config/trial-secrets';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { z } from 'zod';
import { callersVariables, readCallers } from './grpc/callers.ts';
import type { GrpcServerOptions } from './grpc/start-grpc-server.ts';
import { eventLogAdapter } from './event-log/open-event-log.ts';
import { jobsMappingVariables, readJobsMapping, type JobsMapping } from './store/jobs-mapping.ts';
import { storeAdapter } from './store/open-store.ts';

export const roles = ['api', 'relay', 'worker'] as const;
export type Role = (typeof roles)[number];

export interface DeleterConfig extends Storage {
  readonly roles: ReadonlySet<Role>;
  readonly jobsMapping: JobsMapping;
  readonly grpc: GrpcServerOptions;
  /** Undefined for gRPC without TLS. */
  readonly tls: TlsFiles | undefined;
  readonly maxJobsPerRequest: number;
  readonly jobDeletedEvents: boolean;
  readonly receiptRetentionMs: number;
  readonly eventRetentionMs: number;
  readonly shutdownTimeoutMs: number;
  readonly operations: OperationsConfig;
  readonly logLevel: LogLevel;
}

const dayMs = 86_400_000;

/** Reads the configuration. @throws StartupError naming every wrong variable */
export function readDeleterConfig(env: NodeJS.ProcessEnv): DeleterConfig {
  const values = readEnvironment(
    {
      ...storageVariables,
      ...jobsMappingVariables,
      ...securityVariables,
      GRPC_PORT: integer(0, 65_535, 50_051),
      MAX_JOBS_PER_REQUEST: integer(1, 10_000, 10_000),
      JOB_DELETED_EVENTS: oneOf(['on', 'off'], 'on'),
      RECEIPT_RETENTION_DAYS: integer(1, 3_650, 90),
      EVENT_RETENTION_DAYS: integer(1, 365, 7),
      ...operationsVariables,
      LOG_LEVEL: oneOf(logLevels, 'info'),
    },
    env,
  );
  const { callers, tls, problems } = readGrpcSecurity(values);
  const config: DeleterConfig = Object.freeze({
    ...readStorage(values),
    roles: values.ROLES,
    jobsMapping: readJobsMapping(values),
    grpc: { host: values.GRPC_HOST, port: values.GRPC_PORT, callers },
    tls,
    maxJobsPerRequest: values.MAX_JOBS_PER_REQUEST,
    jobDeletedEvents: values.JOB_DELETED_EVENTS === 'on',
    receiptRetentionMs: values.RECEIPT_RETENTION_DAYS * dayMs,
    eventRetentionMs: values.EVENT_RETENTION_DAYS * dayMs,
    ...readOperations(values),
    logLevel: values.LOG_LEVEL,
  });
  requireConsistency(config, problems);
  return config;
}

/** Returns whether one process serves the storage alone, with every role and under the lock of the data folder. */
export function isEmbedded({ database, eventLog }: Pick<DeleterConfig, 'database' | 'eventLog'>): boolean {
  return storeAdapter(database).isEmbedded || eventLogAdapter(eventLog).isEmbedded;
}

function requireConsistency(config: DeleterConfig, found: readonly string[]): void {
  const problems = [...found];
  if (isEmbedded(config) && config.roles.size < roles.length) {
    problems.push(
      `ROLES: must be ${roles.join(',')} on embedded storage, where one process plays every role`,
    );
  }
  // An event of an expired receipt would be a dead letter. Topics keep events for 7 days, like the default of the embedded log.
  if (config.receiptRetentionMs < config.eventRetentionMs) {
    problems.push('RECEIPT_RETENTION_DAYS: must be at least EVENT_RETENTION_DAYS (7 by default)');
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
}

const rolesVariable = z
  .string()
  .default(roles.join(','))
  .transform((text, context): ReadonlySet<Role> => {
    const named = text.split(',').map((name) => name.trim());
    const known = roles.filter((role) => named.includes(role));
    if (named.every((name) => (roles as readonly string[]).includes(name))) return new Set(known);
    context.addIssue({ code: 'custom', message: `must be some of ${roles.join(',')}, not '${text}'` });
    return z.NEVER;
  });

const securityVariables = {
  ...trialSecretsVariables,
  ROLES: rolesVariable,
  GRPC_HOST: z.string().default('127.0.0.1'),
  ...callersVariables,
  ...tlsVariables,
};

/** Reads the callers and certificates. Without the role api there is no listener, and no secret is needed. */
function readGrpcSecurity(values: z.output<z.ZodObject<typeof securityVariables>>) {
  if (!values.ROLES.has('api')) return { callers: undefined, tls: undefined, problems: [] };
  const { tls, problems: ofFiles } = readTlsFiles(values);
  const { callers, problems: ofCallers } = readCallers(values, { withCertificates: tls !== undefined });
  const tokens = values.GRPC_SERVICE_TOKENS.map(({ token }) => token);
  const problems = [
    ...ofFiles,
    ...ofCallers,
    ...trialSecretProblems(values, { GRPC_SERVICE_TOKENS: tokens }),
  ];
  if (callers === undefined && !isLoopback(values.GRPC_HOST)) {
    problems.push(
      'GRPC_SERVICE_TOKENS: must be set, or GRPC_TLS_CERT, GRPC_TLS_KEY and GRPC_TLS_CA, where GRPC_HOST is no loopback address',
    );
  }
  return { callers, tls, problems };
}
