import { z } from 'zod';
import type { SandboxAnswer } from './send-request.ts';

/** The headers that every request needs, in the order of their checks. */
export const requiredHeaders = [
  'Authorization',
  'Usersecretkey',
  'Origin',
  'Content-Type',
  'Accept-Language',
  'User-Agent',
  'X-Client-Lang',
] as const;
type RequiredHeader = (typeof requiredHeaders)[number];

interface HeaderCheck {
  readonly header: RequiredHeader;
  /** The API stops at a wrong credential, and does not reach the headers after it. */
  readonly outcome: 'passed' | 'failed' | 'not-reached';
  /** The explanation of the API for a header that failed. */
  readonly detail?: string;
}

/** The part of a problem that the page shows. */
const problemSchema = z.object({
  code: z.string(),
  title: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ header: z.string().optional(), detail: z.string().optional() })).default([]),
});
type Problem = z.infer<typeof problemSchema>;

/** The checks of the credentials end at the first that fails. */
const credentialHeader = new Map<string, RequiredHeader>([
  ['authentication_required', 'Authorization'],
  ['token_invalid', 'Authorization'],
  ['secret_key_invalid', 'Usersecretkey'],
  ['origin_not_allowed', 'Origin'],
]);

/** Problems that the API finds after every header has passed. */
const laterCodes = new Set([
  'job_id_required',
  'job_id_malformed',
  'job_id_duplicated',
  'body_malformed',
  'too_many_jobs',
  'body_too_large',
  'job_not_found',
  'deletion_limit_exceeded',
]);

/** Derives from an answer which required headers passed. */
export function headerChecks(answer: SandboxAnswer): readonly HeaderCheck[] {
  if (answer.kind !== 'answered') return allWith('not-reached');
  if (answer.status === 200) return allWith('passed');
  const problem = readProblem(answer.body);
  if (problem === undefined) return allWith('not-reached');
  if (laterCodes.has(problem.code)) return allWith('passed');
  if (problem.code === 'header_invalid') return checksOfHeaders(problem);
  const failed = credentialHeader.get(problem.code);
  return failed === undefined ? allWith('not-reached') : checksUntil(failed, problem.detail);
}

function allWith(outcome: HeaderCheck['outcome']): readonly HeaderCheck[] {
  return requiredHeaders.map((header) => ({ header, outcome }));
}

function checksUntil(failed: RequiredHeader, detail: string | undefined): readonly HeaderCheck[] {
  const position = requiredHeaders.indexOf(failed);
  return requiredHeaders.map((header, index) => {
    if (index === position) return failedCheck(header, detail);
    return { header, outcome: index < position ? 'passed' : 'not-reached' };
  });
}

/** The problem names every wrong header, so the others have passed. */
function checksOfHeaders({ errors }: Problem): readonly HeaderCheck[] {
  return requiredHeaders.map((header) => {
    const error = errors.find((entry) => entry.header === header);
    return error === undefined ? { header, outcome: 'passed' } : failedCheck(header, error.detail);
  });
}

function failedCheck(header: RequiredHeader, detail: string | undefined): HeaderCheck {
  return { header, outcome: 'failed', ...(detail !== undefined && { detail }) };
}

/** Returns undefined for an answer of another server. */
export function readProblem(body: string): Problem | undefined {
  try {
    return problemSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
