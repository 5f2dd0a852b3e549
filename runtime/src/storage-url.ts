import { join } from 'node:path';
import { z } from 'zod';

/** Where the database is, as DATABASE_URL says. */
export interface DatabaseUrl {
  readonly kind: 'sqlite';
  readonly path: string;
}

/** Where the event log is, as EVENT_LOG_URL says. */
export interface EventLogUrl {
  readonly kind: 'embedded';
}

/** `sqlite:PATH`; the default is the file in DATA_DIR. */
export const databaseUrlVariable = z
  .string()
  .optional()
  .transform((url, context): string | undefined => {
    if (url === undefined || /^sqlite:.+/.test(url)) return url;
    context.addIssue({ code: 'custom', message: `must be sqlite:PATH, not '${withoutPassword(url)}'` });
    return z.NEVER;
  });

/** `embedded:`, the only one there is. */
export const eventLogUrlVariable = z
  .string()
  .default('embedded:')
  .transform((url, context): EventLogUrl => {
    if (url === 'embedded:') return { kind: 'embedded' };
    context.addIssue({ code: 'custom', message: `must be embedded:, not '${withoutPassword(url)}'` });
    return z.NEVER;
  });

export function databaseUrl(url: string | undefined, dataDir: string): DatabaseUrl {
  return {
    kind: 'sqlite',
    path: url === undefined ? join(dataDir, 'jobs-delete.db') : url.slice('sqlite:'.length),
  };
}

export function embeddedEventLogPath(dataDir: string): string {
  return join(dataDir, 'events.db');
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@');
}
