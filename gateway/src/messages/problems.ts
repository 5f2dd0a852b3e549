import { fillIn, type Language } from './messages.ts';
import { problems as en } from './en.ts';
import { problems as es } from './es.ts';
import { problems as fr } from './fr.ts';

/** A problem without its texts. */
interface Problem {
  readonly status: number;
  /** What mends it: the caller corrects the request or the credentials, waits, or asks support. */
  readonly mendedBy: 'request' | 'credentials' | 'wait' | 'support';
  /** The operations of the API that refuse with it. A cancellation refuses like a status, the sandbox like a deletion. */
  readonly refusedBy: 'deletion' | 'status' | 'cancellation' | 'reads' | 'all';
}

/** Every problem, in the order of the documentation. */
const problems = {
  job_id_required: { status: 400, mendedBy: 'request', refusedBy: 'deletion' },
  job_id_malformed: { status: 400, mendedBy: 'request', refusedBy: 'deletion' },
  job_id_duplicated: { status: 400, mendedBy: 'request', refusedBy: 'deletion' },
  body_malformed: { status: 400, mendedBy: 'request', refusedBy: 'deletion' },
  too_many_jobs: { status: 400, mendedBy: 'request', refusedBy: 'deletion' },
  header_invalid: { status: 400, mendedBy: 'request', refusedBy: 'all' },
  idempotency_key_reused: { status: 400, mendedBy: 'request', refusedBy: 'deletion' },
  authentication_required: { status: 401, mendedBy: 'credentials', refusedBy: 'all' },
  token_invalid: { status: 403, mendedBy: 'credentials', refusedBy: 'all' },
  secret_key_invalid: { status: 403, mendedBy: 'credentials', refusedBy: 'all' },
  origin_not_allowed: { status: 403, mendedBy: 'credentials', refusedBy: 'all' },
  query_invalid: { status: 400, mendedBy: 'request', refusedBy: 'reads' },
  job_not_found: { status: 404, mendedBy: 'request', refusedBy: 'deletion' },
  deletion_limit_exceeded: { status: 403, mendedBy: 'support', refusedBy: 'deletion' },
  deletion_not_found: { status: 404, mendedBy: 'request', refusedBy: 'status' },
  route_not_found: { status: 404, mendedBy: 'request', refusedBy: 'all' },
  method_not_allowed: { status: 405, mendedBy: 'request', refusedBy: 'all' },
  deletion_not_cancellable: { status: 409, mendedBy: 'request', refusedBy: 'cancellation' },
  body_too_large: { status: 413, mendedBy: 'request', refusedBy: 'deletion' },
  too_many_requests: { status: 429, mendedBy: 'wait', refusedBy: 'all' },
  internal_error: { status: 500, mendedBy: 'support', refusedBy: 'all' },
  unavailable: { status: 503, mendedBy: 'wait', refusedBy: 'all' },
} as const satisfies Record<string, Problem>;

/** Why a request is refused. Part of the contract: a code never changes, in any language. */
export type ProblemCode = keyof typeof problems;

/** Explains a problem to a person. Values and names are between backticks; there is no other markup. */
export interface ProblemTexts {
  /** May have the placeholder `{name}`, of a header or a parameter. */
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

const texts: Record<Language, Record<ProblemCode, ProblemTexts>> = { fr, en, es };

export function problemTexts(language: Language, code: ProblemCode): ProblemTexts {
  return texts[language][code];
}

/** Returns the title. @param name of the header or the parameter that is wrong */
export function problemTitle(language: Language, code: ProblemCode, name = '…'): string {
  return fillIn(language, texts[language][code].title, { name });
}

/** A problem as its page and the description of the API present it. */
export interface ProblemKind extends Problem {
  readonly code: ProblemCode;
  /** The last part of its `type`. */
  readonly name: string;
}

export const problemTable: readonly ProblemKind[] = (Object.keys(problems) as ProblemCode[]).map((code) => ({
  code,
  name: problemName(code),
  ...problems[code],
}));

export function problemName(code: ProblemCode): string {
  return code.replaceAll('_', '-');
}

export function statusOf(code: ProblemCode): number {
  return problems[code].status;
}
