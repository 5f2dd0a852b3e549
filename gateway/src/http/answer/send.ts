import type { ServerResponse } from 'node:http';
import type { Language } from '../../messages/messages.ts';
import { problemBody, statusOf, type Refusal } from './problem.ts';

export interface Reply {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly language: Language;
}

export function sendJson(response: ServerResponse, status: number, mediaType: string, body: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** What must stand in the headers of some refusals, by RFC 9110. */
export function sendProblem({ response, requestId, language }: Reply, refusal: Refusal): void {
  const status = statusOf[refusal.code];
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405) response.setHeader('Allow', 'DELETE');
  if (status === 429 || status === 503)
    response.setHeader('Retry-After', String(refusal.retryAfterSeconds ?? 1));
  const body = JSON.stringify(problemBody(refusal, language, requestId));
  sendJson(response, status, 'application/problem+json', body);
}
