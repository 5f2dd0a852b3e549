import type { LogLevel } from '../config/operations-config.ts';
import { escapeInvisible } from '../text/safe-text.ts';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/**
 * Logs JSON lines to stderr; stdout is for command output. Callers never pass credentials: the redaction is a
 * second line of defence.
 */
export function createLogger(
  level: LogLevel,
  name: string,
  destination: DestinationStream = stderr(),
): Logger {
  return pino(
    {
      level,
      name,
      base: { pid: process.pid },
      hooks: { streamWrite: escapeInvisible },
      redact: { paths: ['*.authorization', '*.usersecretkey', '*.token', '*.secret'], censor: '[redacted]' },
    },
    destination,
  );
}

/** A failed write never ends the process: up to 1 MiB of logs is buffered, the rest is lost. */
function stderr() {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: 1_048_576 });
  destination.on('error', () => undefined);
  return destination;
}
