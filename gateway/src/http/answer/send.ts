import type { ServerResponse } from 'node:http';
import type { DeletionStatus, OwnJobs } from '../../deleter/repeated-calls.ts';
import { statusOf } from '../../messages/problems.ts';
import type { Language } from '../../messages/messages.ts';
import type { RenderedDocument } from '../documents/public-document.ts';
import { problemBody, type ProblemContext } from './problem.ts';
import type { Refusal } from './refusal.ts';
import type { WhoAmI } from '../serve-account.ts';
import { acceptedBody, deletionStatusBody, ownJobsBody, whoAmIBody } from './success-bodies.ts';

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
