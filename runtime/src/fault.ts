/**
 * - `busy`: refused for load; the operation had no effect, and another replica may be free
 * - `unavailable`: the operation had no effect and can be retried later (busy, disk full, no connection)
 * - `unknown-outcome`: the operation may have happened; read back to find out
 * - `internal`: a defect, or data that this program did not write
 */
export type FaultCode = 'busy' | 'unavailable' | 'unknown-outcome' | 'internal';

/** An unexpected failure. Adapters convert the errors of their technology to it. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Converts an error to a Fault; an unclassified one is `internal`. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault('internal', messageOf(error), error);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
