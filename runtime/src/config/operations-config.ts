import { z } from 'zod';
import { serviceUrlVariable } from './addresses.ts';
import { integer, oneOf } from './variables.ts';
import { ConfigurationError } from '../startup-error.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The operational variables of every service; `readOperations` combines them. */
export const operationsVariables = {
  ADMIN_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('listen address for health and metrics; `0.0.0.0` in the image; never expose it to the public'),
  ADMIN_PORT: integer(0, 65_535, 9_464).describe('its port, for each process; 0 picks a free one'),
  DRAIN_DELAY_MS: integer(0, 600_000, 0).describe(
    'time after SIGTERM in which the process is not ready but still serves; part of `SHUTDOWN_TIMEOUT_MS`',
  ),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000, 10_000).describe(
    'time from SIGTERM to the end, for the requests in progress',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: serviceUrlVariable(
    'must be the URL of a collector without user and password, such as http://localhost:4318',
  )
    .optional()
    .describe(
      'an OpenTelemetry collector that speaks `http/protobuf`, such as `http://localhost:4318`; without it there are no traces',
    ),
  LOG_LEVEL: oneOf(logLevels, 'info').describe(
    `${logLevels.map((level) => `\`${level}\``).join(', ')}; the log is JSON lines on stderr, and readable lines where \`serve\` runs on a terminal`,
  ),
};

/** A service manager starts the process again after this time, which is enough for a failover of a database or broker. */
const startupTimeoutMs = 60_000;

export type OperationsConfig = ReturnType<typeof readOperations>['operations'];

/** @throws ConfigurationError */
export function readOperations(values: z.output<z.ZodObject<typeof operationsVariables>>) {
  const { DRAIN_DELAY_MS: drainDelayMs, SHUTDOWN_TIMEOUT_MS: shutdownTimeoutMs } = values;
  if (drainDelayMs > shutdownTimeoutMs) {
    throw new ConfigurationError(['DRAIN_DELAY_MS: must not be longer than SHUTDOWN_TIMEOUT_MS']);
  }
  return {
    operations: {
      adminHost: values.ADMIN_HOST,
      adminPort: values.ADMIN_PORT,
      startupTimeoutMs,
      drainDelayMs,
      // For the whole stop.
      stopTimeoutMs: shutdownTimeoutMs,
      tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    },
    // For the requests in flight after the drain delay.
    shutdownTimeoutMs: shutdownTimeoutMs - drainDelayMs,
  };
}
