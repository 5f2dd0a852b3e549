import type { ProblemEntry } from './errors.ts';

export interface AcceptedDeletion {
  /** Undefined in the sandbox. */
  readonly deletionId: string | undefined;
  readonly jobs: number;
}

export interface RefusedJob {
  readonly jobId: string;
  readonly reason: ProblemEntry;
}

/** A request whose outcome is unknown. Send the same ids with the same key to learn it. */
export interface UnknownRequest {
  readonly idempotencyKey: string;
  readonly jobIds: readonly string[];
}

export interface Report {
  readonly acceptedJobs: number;
  /** Empty if the call has a journal. */
  readonly deletions: readonly AcceptedDeletion[];
  /** Jobs left out of the requests because the server refused them. Empty if the call has a journal. */
  readonly refused: readonly RefusedJob[];
  /** Empty unless the call ended early. */
  readonly unknown: readonly UnknownRequest[];
}

/** Ends a call early. `cause` is a ProblemError, a ConnectionError or the reason of the caller's signal. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError';
  /** The requests that ended before the error. */
  readonly report: Report;

  constructor(report: Report, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.report = report;
  }
}
