import { z } from 'zod';
import type { SandboxAnswer } from './send-request.ts';

/** The checks of the API, in their order. Every request needs these headers. */
export const checkNames = [
  'Authorization',
  'Usersecretkey',
  'Origin',
  'Content-Type',
  'Accept-Language',
  'User-Agent',
  'X-Client-Lang',
  'ids',
  'limit',
] as const;
export type CheckName = (typeof checkNames)[number];

interface RequestCheck {
  readonly name: CheckName;
  readonly outcome: 'passed' | 'failed' | 'not-reached';
  /** The explanation of the API for a check that failed. */
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

/** The check that ends the request with this problem. */
const failedCheck = new Map<string, CheckName>([
  ['authentication_required', 'Authorization'],
  ['token_invalid', 'Authorization'],
  ['secret_key_invalid', 'Usersecretkey'],
  ['origin_not_allowed', 'Origin'],
  ['job_id_required', 'ids'],
  ['job_id_malformed', 'ids'],
  ['job_id_duplicated', 'ids'],
  ['body_malformed', 'ids'],
  ['too_many_jobs', 'ids'],
  ['body_too_large', 'ids'],
  ['job_not_found', 'ids'],
  ['deletion_limit_exceeded', 'limit'],
]);

/** Derives from an answer which checks passed. */
export function requestChecks(answer: SandboxAnswer): readonly RequestCheck[] {
  const isAccepted = answer.kind === 'answered' && answer.status === 200;
  const problem = answer.kind === 'answered' && !isAccepted ? readProblem(answer.body) : undefined;
  const failed = problem && failedCheck.get(problem.code);
  // A problem of headers names every wrong one, so the others have passed.
  const end = problem?.code === 'header_invalid' ? 'ids' : failed;
  const reached = isAccepted ? checkNames.length : end ? checkNames.indexOf(end) : 0;
  return checkNames.map((name, index) => {
    const error = name === failed ? problem : problem?.errors.find(({ header }) => header === name);
    if (error === undefined) return { name, outcome: index < reached ? 'passed' : 'not-reached' };
    return { name, outcome: 'failed', ...(error.detail !== undefined && { detail: error.detail }) };
  });
}

/** Returns undefined for an answer of another server. */
export function readProblem(body: string): Problem | undefined {
  try {
    return problemSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
