import type { LimitName } from '../../limits/limit-names.ts';
import { text, type DetailCode, type Language, type ProblemCode } from '../../messages/messages.ts';
import { echo } from './echo.ts';

export const statusOf: Record<ProblemCode, number> = {
  job_id_required: 400,
  job_id_malformed: 400,
  job_id_duplicated: 400,
  body_malformed: 400,
  too_many_jobs: 400,
  header_invalid: 400,
  idempotency_key_reused: 400,
  authentication_required: 401,
  token_invalid: 403,
  secret_key_invalid: 403,
  origin_not_allowed: 403,
  job_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
};

/** One offending entry of a request. `header` is spelt as in the documentation. */
export interface EntryFault {
  readonly code: ProblemCode;
  /** A JSON pointer into the JSON form of the body, for XML too. */
  readonly pointer?: string;
  readonly jobId?: string;
  readonly header?: string;
}

/** What a check answers when the request may not pass. Its code is that of the first of `errors`. */
export interface Refusal {
  readonly code: ProblemCode;
  /** The header that `code` is about, for the title. */
  readonly header?: string;
  readonly errors?: readonly EntryFault[];
  /** There are more faults than `errors` holds. */
  readonly truncated?: boolean;
  readonly detail?: DetailCode;
  readonly retryAfterSeconds?: number;
  /** Of ours, that it goes beyond: for the log and the metrics. */
  readonly limit?: LimitName;
}

export interface ProblemError {
  readonly pointer?: string;
  readonly job_id?: string;
  readonly header?: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** An RFC 9457 problem, its members in the order in which they are sent. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: ProblemCode;
  readonly instance: string;
  readonly errors?: readonly ProblemError[];
  readonly errors_truncated?: true;
}

export const maxErrors = 100;
const defaultTypeBase = 'https://jobs-delete.dev/problems/';

/** `errors` is there, and not empty, for every 400 and for `job_not_found`, whatever the refusal says. */
export function problemBody(
  refusal: Refusal,
  language: Language,
  requestId: string,
  typeBase: string = defaultTypeBase,
): ProblemBody {
  const { code, header, detail } = refusal;
  const faults = faultsOf(refusal);
  const truncated = refusal.truncated === true || faults.length > maxErrors;
  return {
    type: typeBase + code.replaceAll('_', '-'),
    title: message(language, code, header),
    status: statusOf[code],
    ...(detail !== undefined && { detail: text(language, detail) }),
    code,
    instance: `urn:uuid:${requestId}`,
    ...(faults.length > 0 && {
      errors: faults.slice(0, maxErrors).map((fault) => problemError(fault, language)),
    }),
    ...(truncated && { errors_truncated: true as const }),
  };
}

function faultsOf({ code, header, errors = [] }: Refusal): readonly EntryFault[] {
  if (errors.length > 0) return errors;
  const required = statusOf[code] === 400 || code === 'job_not_found';
  return required ? [{ code, ...(header !== undefined && { header }) }] : [];
}

function problemError({ pointer, jobId, header, code }: EntryFault, language: Language): ProblemError {
  return {
    ...(pointer !== undefined && { pointer }),
    ...(jobId !== undefined && { job_id: echo(jobId) }),
    ...(header !== undefined && { header }),
    code,
    message: message(language, code, header),
  };
}

function message(language: Language, code: ProblemCode, header: string | undefined): string {
  return text(language, code, header === undefined ? undefined : { name: header });
}
