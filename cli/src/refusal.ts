import type { Fault } from '@jobs-delete/runtime/fault';

/** What a command can't do for a reason that the user can act on: `message` alone goes to stderr. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** As Refusal, for what another command line would avoid. */
export function wrongUsage(message: string): Refusal {
  return new Refusal(message, 2);
}

/** What passes by itself, for the user: what is `internal` does not, and is shown as the defect that it is. */
export function explainFault({ code, message }: Fault): string {
  return code === 'unknown-outcome'
    ? `The storage did not answer (${message}): it is not known whether the last step was done.`
    : `The storage cannot be used at the moment (${message}): the last step was not done.`;
}
