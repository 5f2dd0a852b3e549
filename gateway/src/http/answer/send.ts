import type { ServerResponse } from 'node:http';
import type { DeletionStatus } from '../../deleter/read-deletion.ts';
import { text, type Language } from '../../messages/messages.ts';
import type { RenderedDocument } from '../documents/public-document.ts';
import { problemBody, type ProblemContext } from './problem.ts';
import { statusOf } from './problem-table.ts';
import type { Refusal } from './refusal.ts';

/** A request whose jobs the deleter has accepted. */
export interface AcceptedRequest {
  readonly jobIds: readonly string[];
  readonly language: Language;
  /** Undefined in the sandbox. */
  readonly deletionId: string | undefined;
  readonly replayed: boolean;
}

export function sendAccepted(response: ServerResponse, accepted: AcceptedRequest): void {
  const { jobIds, language, deletionId, replayed } = accepted;
  response.setHeader('Content-Language', language);
  if (deletionId !== undefined) response.setHeader('Deletion-Id', deletionId);
  if (replayed) response.setHeader('Idempotent-Replayed', 'true');
  sendBody(response, 200, 'application/json', acceptedBody(jobIds, language));
}

export function sendDeletionStatus(response: ServerResponse, status: DeletionStatus): void {
  const { deletionId, jobs, acceptedAtMs, completedAtMs } = status;
  if (completedAtMs === undefined) response.setHeader('Retry-After', '1');
  const body = {
    deletion_id: deletionId,
    state: completedAtMs === undefined ? 'queued' : 'completed',
    jobs,
    accepted_at: new Date(acceptedAtMs).toISOString(),
    completed_at: completedAtMs === undefined ? null : new Date(completedAtMs).toISOString(),
  };
  sendBody(response, 200, 'application/json', JSON.stringify(body));
}

/** Sends the problem, with the headers that RFC 9110 requires for its status. */
export function sendProblem(response: ServerResponse, refusal: Refusal, context: ProblemContext): void {
  const status = statusOf[refusal.code];
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405) response.setHeader('Allow', refusal.allow ?? 'DELETE');
  if (status === 429 || status === 503)
    response.setHeader('Retry-After', String(refusal.retryAfterSeconds ?? 1));
  const body = JSON.stringify(problemBody(refusal, context));
  sendBody(response, status, 'application/problem+json', body);
}

export function sendDocument(
  response: ServerResponse,
  { mediaType, body, contentSecurityPolicy }: RenderedDocument,
): void {
  if (contentSecurityPolicy !== undefined)
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  sendBody(response, 200, mediaType, body);
}

function sendBody(response: ServerResponse, status: number, mediaType: string, body: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/**
 * Returns the body of a 200: one result for each job, in the order sent. Concatenates strings, because there may be
 * 10,000 results. Job ids are letters and digits only, so they need no escaping.
 */
function acceptedBody(jobIds: readonly string[], language: Language): string {
  const [before = '', after = ''] = text(language, 'job_queued').split('{id}').map(escape);
  const results = jobIds.map(
    (id) => `{"job_id":"${id}","status":"success","message":"${before}${id}${after}"}`,
  );
  const status = JSON.stringify(text(language, 'jobs_queued'));
  return `{"status":${status},"processed_jobs":${String(jobIds.length)},"results":[${results.join(',')}]}`;
}

function escape(piece: string): string {
  return JSON.stringify(piece).slice(1, -1);
}
