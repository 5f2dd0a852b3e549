import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { Span, Tracing } from '@jobs-delete/runtime/telemetry/tracing';
import { asFault } from '@jobs-delete/runtime/fault';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import {
  deleteJobs,
  endpoints,
  type DeleteJobsOptions,
  type Endpoint,
  type RequestFacts,
} from './http/delete-jobs.ts';
import type { Refusal } from './http/answer/problem.ts';
import { CallerGone, overloaded } from './http/body/read-body.ts';
import { readLanguage } from './http/request/read-language.ts';
import { securityHeaders } from './http/answer/security-headers.ts';
import { sendProblem } from './http/answer/send.ts';
import { traceDeleter, traceRequest } from './http/trace-request.ts';
import type { Answered } from './metrics.ts';
import type { Language } from './messages/messages.ts';

export interface AppOptions extends DeleteJobsOptions {
  /** Empty, or a path such as `/api` that everything is mounted below. */
  readonly basePath: string;
  /** Whose word on where a request comes from is taken; undefined: nobody's but the connection's. */
  readonly trustProxy?: number | readonly string[] | undefined;
  readonly log: Logger;
  /** Undefined where no spans are wanted. */
  readonly tracing?: Tracing | undefined;
  readonly onAnswered?: (answered: Answered) => void;
}

interface Locals {
  requestId: string;
  language: Language;
  facts: RequestFacts;
  /** The path of its route, once it is known to have one. */
  endpoint?: string;
}

/** Set by `stamp` before anything else runs. */
function localsOf(response: Response): Locals {
  return response.locals as Locals;
}

/** The public API, its steps in the order of the checks: route, method, and then all of delete-jobs.ts. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', options.trustProxy ?? false);

  app.use(stamp(options));
  for (const endpoint of endpoints) {
    app.all(options.basePath + endpoint.path, serve(endpoint, options));
  }
  app.use((_request: Request, response: Response) => refuse(response, { code: 'route_not_found' }));
  app.use(answerFault(options.log));
  return app;
}

/** What every answer carries, whatever becomes of the request, and one line in the log. */
function stamp({ log, onAnswered }: AppOptions) {
  return (request: Request, response: Response, next: () => void) => {
    const startedAt = performance.now();
    const locals: Locals = { requestId: randomUUID(), language: preferredLanguage(request), facts: {} };
    const { requestId, language, facts } = Object.assign(response.locals, locals);
    response.setHeader('Request-Id', requestId);
    response.setHeader('Content-Language', language);
    response.setHeader('Cache-Control', 'no-store');
    for (const [name, value] of securityHeaders) response.setHeader(name, value);
    response.once('close', () => {
      const ms = performance.now() - startedAt;
      const { endpoint } = localsOf(response);
      const { clientTechnology, limit } = facts;
      const status = loggedStatus(response);
      onAnswered?.({ endpoint, status, ms, clientTechnology, limit });
      const { method } = request;
      log.info({ requestId, method, endpoint, status, ms: Math.round(ms), ...facts }, 'request');
    });
    next();
  };
}

/** An answer that was not begun here has a status nevertheless where the HTTP layer has refused the rest of the request. */
function loggedStatus({ writableFinished, headersSent, statusCode }: Response): number | 'aborted' {
  const isAnswered = writableFinished || (!headersSent && statusCode !== 200);
  return isAnswered ? statusCode : 'aborted';
}

/** For the answer to any request, however malformed: French where the caller's wish can't be told. */
function preferredLanguage(request: Request): Language {
  const wish = readLanguage(request.headersDistinct['accept-language']?.join(','));
  return wish === 'invalid' ? 'fr' : wish.language;
}

function serve(endpoint: Endpoint, options: AppOptions) {
  return async (request: Request, response: Response) => {
    const locals = localsOf(response);
    const { requestId, facts } = locals;
    locals.endpoint = endpoint.path;
    const { tracing } = options;
    const traced = tracing
      ? traceCalls(traceRequest(endpoint, request, response, facts, tracing), tracing, options)
      : options;
    if (endpoint.sandbox) response.setHeader('Sandbox', 'true');
    if (request.method !== 'DELETE') {
      refuse(response, { code: 'method_not_allowed' });
      return;
    }
    // Nothing has been read of it yet, nor asked for.
    if (options.loadShedder.isFull(Number(request.headers['content-length'] ?? 0))) {
      refuse(response, overloaded);
      return;
    }
    const refusal = await deleteJobs(endpoint, request, response, requestId, facts, traced);
    if (refusal !== undefined) refuse(response, refusal);
  };
}

function traceCalls(span: Span, tracing: Tracing, options: AppOptions): AppOptions {
  return { ...options, deleter: traceDeleter(options.deleter, span, tracing) };
}

function refuse(response: Response, refusal: Refusal): void {
  const { requestId, language, facts } = localsOf(response);
  facts.refusal = refusal.code;
  if (refusal.limit !== undefined) facts.limit = refusal.limit;
  sendProblem({ response, requestId, language }, refusal);
}

/** Faults never show: 503 where asking again may help, else 500. The log has the cause. */
function answerFault(log: Logger): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (error: unknown, _request: Request, response: Response, _next: unknown) => {
    if (error instanceof CallerGone) return;
    const fault = asFault(error);
    const { requestId, facts } = localsOf(response);
    log.error({ requestId, trace_id: facts.trace_id, err: fault }, 'a request failed');
    if (response.headersSent) response.destroy();
    else refuse(response, { code: fault.code === 'internal' ? 'internal_error' : 'unavailable' });
  };
}
