import { text, type Language, type ProblemCode } from '../../messages/messages.ts';
import { echo } from './echo.ts';
import type { EntryFault, Refusal } from './refusal.ts';

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
  query_invalid: 400,
  job_not_found: 404,
  deletion_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
};

export interface ProblemError {
  readonly pointer?: string;
  readonly job_id?: string;
  readonly header?: string;
  readonly parameter?: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** An RFC 9457 problem. Its members are sent in this order. */
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

/** Always adds a non-empty `errors` to a 400 and to `job_not_found`. */
export function problemBody(
  refusal: Refusal,
  language: Language,
  requestId: string,
  typeBase: string = defaultTypeBase,
): ProblemBody {
  const { code, header, parameter, detail } = refusal;
  const faults = faultsOf(refusal);
  const truncated = refusal.truncated === true || faults.length > maxErrors;
  return {
    type: typeBase + code.replaceAll('_', '-'),
    title: message(language, code, header ?? parameter),
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

function faultsOf({ code, header, parameter, errors = [] }: Refusal): readonly EntryFault[] {
  if (errors.length > 0) return errors;
  const required = statusOf[code] === 400 || code === 'job_not_found';
  const fault = {
    code,
    ...(header !== undefined && { header }),
    ...(parameter !== undefined && { parameter }),
  };
  return required ? [fault] : [];
}

function problemError(
  { pointer, jobId, header, parameter, code }: EntryFault,
  language: Language,
): ProblemError {
  return {
    ...(pointer !== undefined && { pointer }),
    ...(jobId !== undefined && { job_id: echo(jobId) }),
    ...(header !== undefined && { header }),
    ...(parameter !== undefined && { parameter }),
    code,
    message: message(language, code, header ?? parameter),
  };
}

function message(language: Language, code: ProblemCode, name: string | undefined): string {
  return text(language, code, name === undefined ? undefined : { name });
}
