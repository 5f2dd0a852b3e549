import type { Fault } from '@jobs-delete/runtime/fault';
import { printable } from './report.ts';

/** A failure that the user can fix. Only `message` is printed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Creates a Refusal for wrong arguments. */
export function wrongUsage(message: string): Refusal {
  return new Refusal(message, 2);
}

/** Creates a Refusal for a display name that is not valid. */
export function noName(text: string): Refusal {
  return wrongUsage(`'${printable(text)}' is not a name: use 1 to 100 printable characters.`);
}

/** Returns the message for a transient fault. */
export function explainFault({ code, message }: Fault): string {
  return code === 'unknown-outcome'
    ? `The storage did not answer (${message}). It is unknown if the last step succeeded. Check, and try again.`
    : `The storage is unavailable (${message}). The last step had no effect. Try again.`;
}
