import { z } from 'zod';
import { serviceUrlVariable } from './http-url.ts';
import { integer, oneOf } from './read-environment.ts';
import { ConfigurationError } from '../startup-error.ts';

/** The operational variables of every service; `readOperations` combines them. */
export const operationsVariables = {
  ADMIN_HOST: z.string().default('127.0.0.1'),
  ADMIN_PORT: integer(0, 65_535, 9_464),
  STARTUP_TIMEOUT_MS: integer(0, 3_600_000, 60_000),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000, 10_000),
  DRAIN_DELAY_MS: integer(0, 600_000, 0),
  OTEL_EXPORTER_OTLP_ENDPOINT: serviceUrlVariable(
    'must be the URL of a collector without user and password, such as http://localhost:4318',
  ).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(['http/protobuf'], 'http/protobuf'),
  OTEL_SDK_DISABLED: oneOf(['false', 'true'], 'false'),
};

export interface OperationsConfig {
  readonly adminHost: string;
  /** 0 for any free port. */
  readonly adminPort: number;
  /** The limit for waiting for databases and brokers at the start. */
  readonly startupTimeoutMs: number;
  /** How long the process accepts requests after a signal while it reports not ready. */
  readonly drainDelayMs: number;
  /** The limit for a whole stop. */
  readonly stopTimeoutMs: number;
  /** Sends spans to a collector. */
  readonly tracing: boolean;
}

/** @throws ConfigurationError */
export function readOperations(values: z.output<z.ZodObject<typeof operationsVariables>>): {
  readonly operations: OperationsConfig;
  /** The remaining time for requests in flight after the drain delay. */
  readonly shutdownTimeoutMs: number;
} {
  const { DRAIN_DELAY_MS: drainDelayMs, SHUTDOWN_TIMEOUT_MS: shutdownTimeoutMs } = values;
  if (drainDelayMs > shutdownTimeoutMs) {
    throw new ConfigurationError(['DRAIN_DELAY_MS: must not be longer than SHUTDOWN_TIMEOUT_MS']);
  }
  return {
    operations: {
      adminHost: values.ADMIN_HOST,
      adminPort: values.ADMIN_PORT,
      startupTimeoutMs: values.STARTUP_TIMEOUT_MS,
      drainDelayMs,
      stopTimeoutMs: shutdownTimeoutMs,
      tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && values.OTEL_SDK_DISABLED === 'false',
    },
    shutdownTimeoutMs: shutdownTimeoutMs - drainDelayMs,
  };
}
