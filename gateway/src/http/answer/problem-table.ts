import { explanationOf, type Explanation } from '../../messages/explanation.ts';
import { languages, text, type Language, type ProblemCode } from '../../messages/messages.ts';

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
  deletion_limit_exceeded: 403,
  deletion_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  deletion_not_cancellable: 409,
  body_too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
};

/** A problem as its page and the description of the API present it. */
export interface ProblemKind {
  readonly code: ProblemCode;
  /** The last part of its `type`. */
  readonly name: string;
  readonly status: number;
  readonly texts: Readonly<Record<Language, ProblemTexts>>;
}

export interface ProblemTexts extends Explanation {
  /** The name of a header or parameter is an ellipsis. */
  readonly title: string;
}

/** Every problem of the API. */
export const problemTable: readonly ProblemKind[] = (Object.keys(statusOf) as ProblemCode[]).map((code) => ({
  code,
  name: problemName(code),
  status: statusOf[code],
  texts: textsOf(code),
}));

export function problemName(code: ProblemCode): string {
  return code.replaceAll('_', '-');
}

function textsOf(code: ProblemCode): Record<Language, ProblemTexts> {
  const entries = languages.map((language) => {
    const title = text(language, code, { name: '…' });
    return [language, { title, ...explanationOf(language, code) }] as const;
  });
  // One entry for each language, which Object.fromEntries cannot express.
  return Object.fromEntries(entries) as Record<Language, ProblemTexts>;
}
