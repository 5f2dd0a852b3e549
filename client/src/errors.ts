export interface ProblemEntry {
  readonly code: string;
  readonly message: string;
  /** JSON pointer to the entry, in the JSON form, such as `/jobs/job/3/id`. */
  readonly pointer?: string;
  readonly job_id?: string;
  readonly header?: string;
  readonly detail?: string;
}

/** A refusal by the server, from its problem document (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** HTTP status. */
  readonly status: number;
  /** Never changes with the language, such as `job_not_found`; `unexpected_answer` if there is no problem document. */
  readonly code: string;
  readonly errors: readonly ProblemEntry[];
  /** True when more than the listed entries are wrong. */
  readonly errorsTruncated: boolean;
  /** For the operator of the service to find the request in its log. */
  readonly requestId: string | undefined;

  constructor(status: number, requestId: string | undefined, document: ProblemDocument | undefined) {
    super(document?.detail ?? document?.title ?? `The server answered ${String(status)}.`);
    this.status = status;
    this.code = document?.code ?? 'unexpected_answer';
    this.errors = document?.errors ?? [];
    this.errorsTruncated = document?.errors_truncated === true;
    this.requestId = requestId;
  }
}

/** The request could not be sent, or its answer did not arrive. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Body of a refusal (RFC 9457), as far as it is known. */
export interface ProblemDocument {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly errors?: readonly ProblemEntry[];
  readonly errors_truncated?: boolean;
}

/** @param text the body of an answer that is not 200 */
export function problemOf({ status, headers }: Response, text: string): ProblemError {
  return new ProblemError(status, headers.get('request-id') ?? undefined, readProblem(text));
}

function readProblem(text: string): ProblemDocument | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof value === 'object' && value !== null && 'code' in value;
    return isProblem ? (value as ProblemDocument) : undefined;
  } catch {
    return undefined;
  }
}
