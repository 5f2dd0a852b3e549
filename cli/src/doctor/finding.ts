import { existsSync } from 'node:fs';
import { Fault } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';

/** The result of one check. */
export interface Finding {
  readonly subject: Subject;
  /** `warning`: works now, but a failure would affect it. `problem`: does not work. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly advice: string | undefined;
}

export type Subject =
  | 'configuration'
  | 'data_folder'
  | 'database'
  | 'pepper'
  | 'indexes'
  | 'clock'
  | 'event_log'
  | 'topics'
  | 'certificates'
  | 'deleter'
  | 'dashboard';

export function ok(subject: Subject, message: string): Finding {
  return { subject, state: 'ok', message, advice: undefined };
}

export function warning(subject: Subject, message: string, advice: string): Finding {
  return { subject, state: 'warning', message, advice };
}

export function problem(subject: Subject, message: string, advice: string): Finding {
  return { subject, state: 'problem', message, advice };
}

/** Runs a check. A StartupError or Fault becomes a finding with this advice. */
export async function findings(
  subject: Subject,
  advice: string,
  check: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof Fault)) throw error;
    return [problem(subject, error.message, advice)];
  }
}

const nouns = { database: 'database', event_log: 'event log' };

/** Checks a file of embedded storage. `open` verifies its integrity and durability. */
export function examineFile(
  subject: keyof typeof nouns,
  path: string,
  open: () => Promise<{ close(): Promise<void> }>,
): Promise<readonly Finding[]> {
  return findings(subject, 'Check the disk and its permissions, or restore a backup.', async () => {
    if (!existsSync(path)) {
      const advice =
        'Run jobs-delete serve to create it, or set DATA_DIR or DATABASE_URL if it is elsewhere.';
      return [problem(subject, `There is no ${nouns[subject]} at ${path}.`, advice)];
    }
    const opened = await open();
    await opened.close();
    return [ok(subject, `${path} is intact and durable: WAL with synchronous=FULL`)];
  });
}
