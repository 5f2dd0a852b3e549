import { Fault } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';

/** One thing that was looked at. */
export interface Finding {
  readonly subject: Subject;
  /** `warning`: it works, and will not survive what it should. `problem`: it does not work. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do about it. */
  readonly advice: string | undefined;
}

export type Subject =
  | 'configuration'
  | 'data_folder'
  | 'database'
  | 'indexes'
  | 'clock'
  | 'event_log'
  | 'topics'
  | 'certificates'
  | 'deleter';

export function ok(subject: Subject, message: string): Finding {
  return { subject, state: 'ok', message, advice: undefined };
}

export function warning(subject: Subject, message: string, advice: string): Finding {
  return { subject, state: 'warning', message, advice };
}

export function problem(subject: Subject, message: string, advice: string): Finding {
  return { subject, state: 'problem', message, advice };
}

/** What `look` finds; where it can't look, that is the finding. */
export async function findings(
  subject: Subject,
  advice: string,
  look: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof Fault)) throw error;
    return [problem(subject, error.message, advice)];
  }
}
