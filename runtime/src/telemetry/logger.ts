import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * JSON lines on stderr, so that stdout stays for what a command prints. Credentials are never passed to the
 * logger; the redaction is the second line of defence.
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
      redact: { paths: ['*.authorization', '*.usersecretkey', '*.token', '*.secret'], censor: '[redacted]' },
    },
    destination,
  );
}

/** Logging never ends the process: what can't be written (the disk is full) waits, up to a limit, and is then lost. */
function stderr() {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: 1_048_576 });
  destination.on('error', () => undefined);
  return destination;
}
