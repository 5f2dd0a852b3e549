import type { LogLevel } from '@jobs-delete/runtime/config/operations-config';
import { createLogger, type Logger } from '@jobs-delete/runtime/telemetry/logger';

/** Logs in a readable form if stderr is a terminal, otherwise as JSON lines. */
export async function createServeLogger(level: LogLevel): Promise<Logger> {
  if (!process.stderr.isTTY) return createLogger(level, 'jobs-delete');
  const { default: pretty } = await import('pino-pretty');
  const lines = pretty({
    destination: 2,
    sync: true,
    ignore: 'pid,name',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return createLogger(level, 'jobs-delete', lines);
}
