import { Fault } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { Refusal } from '../refusal.ts';

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

/** Runs a check. A StartupError, Fault or Refusal becomes a finding with this advice. */
export async function findings(
  subject: Subject,
  advice: string,
  check: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof Fault || error instanceof Refusal)) throw error;
    return [problem(subject, error.message, advice)];
  }
}
