import { maxJobsVariables } from '@jobs-delete/proto/service-tokens';
import { operationsVariables, readOperations } from '@jobs-delete/runtime/config/operations-config';
import { isLoopback } from '@jobs-delete/runtime/config/addresses';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { integer, oneOf, described } from '@jobs-delete/runtime/config/variables';
import { readTlsFiles, tlsVariables } from '@jobs-delete/runtime/tls/certificates';
import { readStorage, storageVariables } from '@jobs-delete/runtime/config/storage-url';
import { trialSecretProblems, trialSecretsVariables } from '@jobs-delete/runtime/config/secrets';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { z } from 'zod';
import { callersVariables, readCallers } from './grpc/callers.ts';
import { eventLogAdapter } from './event-log/open-event-log.ts';
import { jobsMappingVariables, readJobsMapping } from './store/jobs-mapping.ts';
import { storeAdapter } from './store/open-store.ts';

export const roles = ['api', 'relay', 'worker'] as const;
export type Role = (typeof roles)[number];

export type DeleterConfig = ReturnType<typeof readDeleterConfig>;

const dayMs = 86_400_000;

/**
 * How long the embedded log keeps processed events: as long as topics by default. An event of an expired receipt would be a dead
 * letter, so receipts are kept at least as long.
 */
const eventRetentionDays = 7;

const securityVariables = {
  ...trialSecretsVariables,
  ROLES: described(
    z
      .string()
      .default(roles.join(','))
      .transform((text, context): ReadonlySet<Role> => {
        const named = text.split(',').map((name) => name.trim());
        const known = roles.filter((role) => named.includes(role));
        if (named.every((name) => (roles as readonly string[]).includes(name))) return new Set(known);
        context.addIssue({ code: 'custom', message: `must be some of ${roles.join(',')}, not '${text}'` });
        return z.NEVER;
      }),
    {
      fallback: `\`${roles.join(',')}\``,
      text: 'roles of a deleter process; embedded storage requires all three',
    },
  ),
  GRPC_HOST: z.string().default('127.0.0.1').describe('listen address of the api'),
  ...callersVariables,
  ...tlsVariables,
};

export const deleterVariables = {
  ...storageVariables,
  ...jobsMappingVariables,
  ...securityVariables,
  GRPC_PORT: integer(0, 65_535, 50_051).describe('port of the api; 0 picks a free one'),
  ...maxJobsVariables,
  RECEIPT_RETENTION_DAYS: integer(eventRetentionDays, 3_650, 90).describe(
    'days to keep completed deletions and their idempotency keys',
  ),
  JOB_DELETED_EVENTS: oneOf(['on', 'off'], 'on').describe('`off`: publish no `jobs.deleted.v1` events'),
  ...operationsVariables,
};

/** Reads the configuration. @throws StartupError naming every wrong variable */
export function readDeleterConfig(env: NodeJS.ProcessEnv) {
  const values = readEnvironment(deleterVariables, env);
  const { callers, tls, problems } = readGrpcSecurity(values);
  const config = Object.freeze({
    ...readStorage(values),
    roles: values.ROLES,
    jobsMapping: readJobsMapping(values),
    grpc: { host: values.GRPC_HOST, port: values.GRPC_PORT, callers },
    // Undefined for gRPC without TLS.
    tls,
    maxJobsPerRequest: values.MAX_JOBS_PER_REQUEST,
    jobDeletedEvents: values.JOB_DELETED_EVENTS === 'on',
    receiptRetentionMs: values.RECEIPT_RETENTION_DAYS * dayMs,
    eventRetentionMs: eventRetentionDays * dayMs,
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
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Reads the callers and certificates. Without the role api there is no listener, and no secret is needed. */
function readGrpcSecurity(values: z.output<z.ZodObject<typeof securityVariables>>) {
  if (!values.ROLES.has('api')) return { callers: undefined, tls: undefined, problems: [] };
  const { files: tls, problems: ofFiles } = readTlsFiles(values);
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
