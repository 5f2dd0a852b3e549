export interface ProblemEntry {
  readonly code: string;
  readonly message: string;
  /** JSON pointer to the entry, in the JSON form, such as `/jobs/job/3/id`. */
  readonly pointer?: string;
  readonly job_id?: string;
  readonly header?: string;
  readonly detail?: string;
}

/** A refusal by the server, from its problem document (RFC 9457). Its class tells the kind of the refusal. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
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

/** 400, 413 and any other 4xx that has no class below: correct the request. */
export class InvalidRequestError extends ProblemError {
  override readonly name: string = 'InvalidRequestError';
}

/** 401: the request has no bearer token. */
export class UnauthenticatedError extends ProblemError {
  override readonly name: string = 'UnauthenticatedError';
}

/** 403: the token, the secret key or the origin is refused, or a limit of the account is exceeded. */
export class ForbiddenError extends ProblemError {
  override readonly name: string = 'ForbiddenError';
}

/** 404: the account has no such job or deletion. */
export class NotFoundError extends ProblemError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the state of the deletion does not allow the request. */
export class ConflictError extends ProblemError {
  override readonly name: string = 'ConflictError';
}

/** 429, beyond `retryForMs`. */
export class TooManyRequestsError extends ProblemError {
  override readonly name: string = 'TooManyRequestsError';
}

/** 5xx. Those that a retry may change come after `retryForMs`. */
export class ServerError extends ProblemError {
  override readonly name: string = 'ServerError';
}

/** The request could not be sent, or its answer did not arrive. The message says why. */
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
  const Kind = kindOf(status);
  return new Kind(status, headers.get('request-id') ?? undefined, readProblem(text));
}

function kindOf(status: number): typeof ProblemError {
  const own = byStatus.get(status);
  if (own !== undefined) return own;
  if (status >= 500) return ServerError;
  // A redirect, or a 200 from something other than the service.
  return status >= 400 ? InvalidRequestError : ProblemError;
}

const byStatus: ReadonlyMap<number, typeof ProblemError> = new Map<number, typeof ProblemError>([
  [401, UnauthenticatedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [429, TooManyRequestsError],
]);

function readProblem(text: string): ProblemDocument | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
    // Every other member is optional, and `errors` is checked. The rest is only shown.
    const document = value as ProblemDocument;
    return Array.isArray(document.errors) ? document : { ...document, errors: [] };
  } catch {
    return undefined;
  }
}

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
