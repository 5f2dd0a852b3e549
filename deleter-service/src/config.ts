import {
  databaseUrl,
  databaseUrlVariable,
  embeddedEventLogPath,
  eventLogUrlVariable,
  type DatabaseUrl,
} from '@jobs-delete/runtime/storage-url';
import { logLevels, type LogLevel } from '@jobs-delete/runtime/logger';
import { integer, oneOf, readEnvironment } from '@jobs-delete/runtime/read-environment';
import { z } from 'zod';

export const roles = ['api', 'relay', 'worker'] as const;
export type Role = (typeof roles)[number];

export interface DeleterConfig {
  readonly roles: ReadonlySet<Role>;
  readonly dataDir: string;
  readonly database: DatabaseUrl;
  readonly eventLogPath: string;
  readonly grpcPort: number;
  readonly maxJobsPerRequest: number;
  readonly jobDeletedEvents: boolean;
  readonly receiptRetentionMs: number;
  readonly eventRetentionMs: number;
  readonly shutdownTimeoutMs: number;
  readonly logLevel: LogLevel;
}

const dayMs = 86_400_000;

/** @throws StartupError naming every wrong variable */
export function readDeleterConfig(env: NodeJS.ProcessEnv): DeleterConfig {
  const values = readEnvironment(
    {
      ROLES: rolesVariable(),
      DATA_DIR: z.string().default('./data'),
      DATABASE_URL: databaseUrlVariable,
      EVENT_LOG_URL: eventLogUrlVariable,
      GRPC_PORT: integer(0, 65_535, 50_051),
      MAX_JOBS_PER_REQUEST: integer(1, 10_000, 10_000),
      JOB_DELETED_EVENTS: oneOf(['on', 'off'], 'on'),
      RECEIPT_RETENTION_DAYS: integer(1, 3_650, 90),
      EVENT_RETENTION_DAYS: integer(1, 365, 7),
      SHUTDOWN_TIMEOUT_MS: integer(0, 600_000, 10_000),
      LOG_LEVEL: oneOf(logLevels, 'info'),
    },
    env,
  );
  return Object.freeze({
    roles: values.ROLES,
    dataDir: values.DATA_DIR,
    database: databaseUrl(values.DATABASE_URL, values.DATA_DIR),
    eventLogPath: embeddedEventLogPath(values.DATA_DIR),
    grpcPort: values.GRPC_PORT,
    maxJobsPerRequest: values.MAX_JOBS_PER_REQUEST,
    jobDeletedEvents: values.JOB_DELETED_EVENTS === 'on',
    receiptRetentionMs: values.RECEIPT_RETENTION_DAYS * dayMs,
    eventRetentionMs: values.EVENT_RETENTION_DAYS * dayMs,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_MS,
    logLevel: values.LOG_LEVEL,
  });
}

/** The embedded pair belongs to one process, which then has to play every role. */
function rolesVariable() {
  return z
    .string()
    .default(roles.join(','))
    .transform((text, context): ReadonlySet<Role> => {
      const named = new Set(text.split(',').map((name) => name.trim()));
      if (named.size === roles.length && roles.every((role) => named.has(role))) return new Set(roles);
      context.addIssue({
        code: 'custom',
        message: `must be ${roles.join(',')} on the embedded event log, where one process plays every role, not '${text}'`,
      });
      return z.NEVER;
    });
}
