/**
 * - `unavailable`: a dependency did not do it and can be asked again later (busy, disk full, no connection);
 *   nothing has happened.
 * - `unknown-outcome`: it may or may not have happened; only reading back tells.
 * - `internal`: a defect, or data that no code of ours wrote.
 */
export type FaultCode = 'unavailable' | 'unknown-outcome' | 'internal';

/** The one class that is thrown for what is not an expected outcome. Adapters classify at their own edge. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Anything thrown, as a Fault: what no adapter has classified is `internal`. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault('internal', error instanceof Error ? error.message : String(error), error);
}
