import type { ServerResponse } from 'node:http';
import type { Credential } from '@jobs-delete/accounts/accounts';
import type { DeletionStatus, OwnJobs } from '../../deleter/repeated-calls.ts';
import { statusOf } from '../../messages/problems.ts';
import { type Language, text } from '../../messages/messages.ts';
import type { RenderedDocument } from '../documents/public-document.ts';
import { problemBody, type ProblemContext } from './problem.ts';
import type { Refusal } from './refusal.ts';
import type { WhoAmI } from '../serve-account.ts';

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
  if (status.state === 'queued') response.setHeader('Retry-After', '1');
  sendBody(response, 200, 'application/json', JSON.stringify(deletionStatusBody(status)));
}

export function sendOwnJobs(response: ServerResponse, jobs: OwnJobs): void {
  sendBody(response, 200, 'application/json', ownJobsBody(jobs));
}

export function sendWhoAmI(response: ServerResponse, caller: WhoAmI): void {
  sendBody(response, 200, 'application/json', JSON.stringify(whoAmIBody(caller)));
}

export interface AnsweredRequest extends ProblemContext {
  readonly prefersAllErrors: boolean;
}

/** Sends the problem, with the headers that RFC 9110 requires for its status. */
export function sendProblem(
  response: ServerResponse,
  refusal: Refusal,
  { prefersAllErrors, ...context }: AnsweredRequest,
): void {
  const status = statusOf(refusal.code);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (refusal.allow !== undefined) response.setHeader('Allow', refusal.allow);
  if (status === 429 || status === 503)
    response.setHeader('Retry-After', String(refusal.retryAfterSeconds ?? 1));
  const body = problemBody(refusal, context);
  if (prefersAllErrors && body.errors !== undefined && body.errors_truncated === undefined)
    response.setHeader('Preference-Applied', 'errors=all');
  sendBody(response, status, 'application/problem+json', JSON.stringify(body));
}

/** @param isFresh whether the caller already has the version that the headers of the response name */
export function sendDocument(
  response: ServerResponse,
  { mediaType, body, language, etag, contentSecurityPolicy }: RenderedDocument,
  isFresh: () => boolean,
): void {
  response.setHeader('Content-Language', language);
  if (contentSecurityPolicy !== undefined)
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  if (etag !== undefined) {
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'no-cache');
    if (isFresh()) {
      response.statusCode = 304;
      response.end();
      return;
    }
  }
  sendBody(response, 200, mediaType, body);
}

function sendBody(response: ServerResponse, status: number, mediaType: string, body: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** The body of a status. Its members are sent in this order. */
export interface DeletionStatusBody {
  readonly deletion_id: string;
  readonly state: DeletionStatus['state'];
  readonly jobs: number;
  readonly accepted_at: string;
  /** Only while the deletion waits for the end of its delay. */
  readonly removal_at?: string;
  readonly completed_at: string | null;
}

export function deletionStatusBody(status: DeletionStatus): DeletionStatusBody {
  const { deletionId, state, jobs, acceptedAtMs, removalAtMs, completedAtMs } = status;
  return {
    deletion_id: deletionId,
    state,
    jobs,
    accepted_at: new Date(acceptedAtMs).toISOString(),
    ...(removalAtMs !== undefined && { removal_at: new Date(removalAtMs).toISOString() }),
    completed_at: completedAtMs === undefined ? null : new Date(completedAtMs).toISOString(),
  };
}

export function whoAmIBody({ account, token, secretKey, origin, ...limits }: WhoAmI) {
  return {
    account_id: account.id,
    account_name: account.name ?? null,
    token: credentialBody(token),
    secret_key: credentialBody(secretKey),
    origin,
    limits: { max_jobs_per_request: limits.maxJobsPerRequest, max_body_bytes: limits.maxBodyBytes },
  };
}

function credentialBody({ id, expiresAtMs }: Pick<Credential, 'id' | 'expiresAtMs'>) {
  return { id, expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString() };
}

/**
 * Returns the body of a 200: one result for each job, in the order sent. Concatenates strings, because there may be
 * 10,000 results. Job ids are letters and digits only, so they need no escaping.
 */
export function acceptedBody(jobIds: readonly string[], language: Language): string {
  const [before = '', after = ''] = text(language, 'job_queued').split('{id}').map(escape);
  const results = jobIds.map(
    (id) => `{"job_id":"${id}","status":"success","message":"${before}${id}${after}"}`,
  );
  const status = JSON.stringify(text(language, 'jobs_queued'));
  return `{"status":${status},"processed_jobs":${String(jobIds.length)},"results":[${results.join(',')}]}`;
}

/** Returns the body of a page of jobs. Like acceptedBody, it has up to 10,000 ids, which need no escaping. */
export function ownJobsBody({ jobIds, next }: OwnJobs): string {
  const jobs = jobIds.map((id) => `{"id":"${id}"}`);
  return `{"jobs":[${jobs.join(',')}],"next":${next === undefined ? 'null' : `"${next}"`}}`;
}

function escape(piece: string): string {
  return JSON.stringify(piece).slice(1, -1);
}
