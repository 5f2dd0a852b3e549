import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { RefusedRequest } from '@jobs-delete/accounts/refused-requests';
import { createFairPermits } from '@jobs-delete/runtime/batching/fair-permits';
import { asFault } from '@jobs-delete/runtime/fault';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import type { Tracing } from '@jobs-delete/runtime/telemetry/tracing';
import { excerpt } from './http/answer/echo.ts';
import { statusOf } from './http/answer/problem-table.ts';
import { isRefusal, methodNotAllowed, type Refusal } from './http/answer/refusal.ts';
import { refusedRequest } from './http/answer/refused-request.ts';
import { securityHeaders } from './http/answer/security-headers.ts';
import {
  sendAccepted,
  sendDeletionStatus,
  sendDocument,
  sendOwnJobs,
  sendProblem,
  sendWhoAmI,
} from './http/answer/send.ts';
import { CallerGone } from './http/body/read-body.ts';
import { allowOrigin, answerPreflight } from './http/cors.ts';
import { deleteJobs, type DeleteJobsOptions } from './http/delete-jobs.ts';
import { typeBaseOf, type DocumentSettings, type PublicDocument } from './http/documents/public-document.ts';
import { publicDocuments } from './http/documents/public-documents.ts';
import {
  apiPaths,
  deletionEndpoint,
  endpoints,
  jobsEndpoint,
  whoamiEndpoint,
  type Endpoint,
} from './http/endpoints.ts';
import { exchangeOf, startExchange, type Exchange } from './http/exchange.ts';
import { listOwnJobs } from './http/list-own-jobs.ts';
import { serveDeletion, type ReadDeletionOptions } from './http/serve-deletion.ts';
import { networkOf } from '@jobs-delete/runtime/net/remote-network';
import { trustProxies, type TrustProxy } from '@jobs-delete/runtime/net/trust-proxy';
import { traceDeleter, traceRequest } from './http/trace-request.ts';
import { whoAmI, type WhoAmIOptions } from './http/who-am-i.ts';
import { sentence } from './messages/sentences.ts';
import type { Answered } from './metrics.ts';

export interface AppOptions
  extends DeleteJobsOptions, Omit<ReadDeletionOptions, 'waitingPermits'>, WhoAmIOptions, DocumentSettings {
  /** Serves the public documents. Default: true. */
  readonly docs?: boolean;
  /** Trusted proxies, as a count or as addresses. Undefined trusts none. */
  readonly trustProxy?: TrustProxy;
  /** Requests that wait for a deletion to complete. Default: 1,000. */
  readonly maxWaitingRequests?: number;
  readonly log: Logger;
  /** Undefined when no collector is configured. */
  readonly tracing?: Tracing | undefined;
  readonly onAnswered?: (answered: Answered) => void;
  /** Called for each refused request with the token of an account. */
  readonly onAccountRefused?: (refused: Omit<RefusedRequest, 'atMs'>) => void;
}

type RefusalOptions = DocumentSettings & Pick<AppOptions, 'onAccountRefused'>;

/** Creates the public API. The checks after the route are in delete-jobs.ts. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  trustProxies(app, options.trustProxy);

  app.use(setCommonHeaders);
  app.use(reportAnswer(options));
  if (options.cors === true) app.use(allowOrigin);
  addRoutes(app, options);
  app.use((_request: Request, response: Response) =>
    refuse(exchangeOf(response), routeNotFound(exchangeOf(response), options), options),
  );
  app.use(answerFault(options));
  return app;
}

function addRoutes(app: Express, options: AppOptions): void {
  const { basePath, cors = false, maxWaitingRequests = 1_000 } = options;
  const statusPath = new RegExp(`^${escapePattern(basePath)}${deletionEndpoint.pattern}$`);
  if (cors) {
    for (const { path } of endpoints) app.all(basePath + path, answerPreflight('DELETE'));
    for (const { path, methods } of [whoamiEndpoint, jobsEndpoint])
      app.all(basePath + path, answerPreflight(methods));
    app.all(statusPath, answerPreflight(deletionEndpoint.methods));
  }
  const routes = new Map<string, RequestHandler>();
  for (const endpoint of endpoints) routes.set(basePath + endpoint.path, serve(endpoint, options));
  routes.set(basePath + whoamiEndpoint.path, serveCall(whoamiEndpoint, whoAmI, sendWhoAmI, options));
  routes.set(basePath + jobsEndpoint.path, serveCall(jobsEndpoint, listOwnJobs, sendOwnJobs, options));
  if (options.docs !== false)
    for (const document of publicDocuments(options))
      routes.set(basePath + document.path, serveDocument(document, options));
  const waitingPermits = createFairPermits({ total: () => maxWaitingRequests });
  const status = serveCall(deletionEndpoint, serveDeletion, sendDeletionStatus, {
    ...options,
    waitingPermits,
  });
  // Express would try one layer for each path.
  app.use((request: Request, response: Response, next: NextFunction) => {
    const { path } = request;
    const route = routes.get(path) ?? (statusPath.test(path) ? status : undefined);
    if (route !== undefined) return route(request, response, next);
    next();
    return undefined;
  });
}

function setCommonHeaders(request: Request, response: Response, next: () => void): void {
  const { requestId, language } = startExchange(request, response);
  response.setHeader('Request-Id', requestId);
  response.setHeader('Content-Language', language);
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of securityHeaders) response.setHeader(name, value);
  next();
}

/** Logs and counts every request once, at the end of its answer. */
function reportAnswer({ log: ofGateway, onAnswered }: AppOptions) {
  // Redaction costs more than the rest of the line, and looks in nested objects only, which this line has none of.
  const log = ofGateway.child({}, { redact: [] });
  return ({ method }: Request, response: Response, next: () => void) => {
    const startedAt = performance.now();
    const { requestId, facts } = exchangeOf(response);
    response.once('close', () => {
      const ms = performance.now() - startedAt;
      const { endpoint, clientTechnology, limit, refusal } = facts;
      const status = statusToReport(response);
      const ownMs = ms - (facts.waitedMs ?? 0);
      onAnswered?.({ endpoint, status, ms: ownMs, clientTechnology, limit, refusal });
      log.info({ requestId, method, status, ms: Math.round(ms), ...facts }, 'request');
    });
    next();
  };
}

/** An answer without headers has a status when the HTTP layer has refused the rest of its request. */
function statusToReport({ writableFinished, headersSent, statusCode }: Response): number | 'aborted' {
  const isAnswered = writableFinished || (!headersSent && statusCode !== 200);
  return isAnswered ? statusCode : 'aborted';
}

function serve(endpoint: Endpoint, options: AppOptions) {
  return async (_request: Request, response: Response) => {
    const exchange = exchangeOf(response);
    exchange.facts.endpoint = endpoint.path;
    if (endpoint.sandbox) response.setHeader('Sandbox', 'true');
    const result = await traced(endpoint, exchange, options, (ofRequest) =>
      deleteJobs(endpoint, exchange, ofRequest),
    );
    if (isRefusal(result)) refuse(exchange, result, options);
    else sendAccepted(response, result);
  };
}

function serveCall<Result extends object, Options extends RefusalOptions>(
  { path }: { readonly path: string },
  call: (exchange: Exchange, options: Options) => Promise<Result | Refusal>,
  send: (response: Response, result: Result) => void,
  options: Options,
) {
  return async (_request: Request, response: Response) => {
    const exchange = exchangeOf(response);
    exchange.facts.endpoint = path;
    const result = await call(exchange, options);
    if (isRefusal(result)) refuse(exchange, result, options);
    else send(response, result);
  };
}

/** A document is for people. More of them read English than French, the language of refusals. */
function serveDocument(document: PublicDocument, settings: DocumentSettings) {
  return (request: Request, response: Response) => {
    const exchange = exchangeOf(response);
    const { method } = request;
    if (method === 'GET' || method === 'HEAD')
      sendDocument(response, document.render(exchange.acceptedLanguage ?? 'en'), () => request.fresh);
    else refuse(exchange, methodNotAllowed(method, 'GET, HEAD'), settings);
  };
}

/** The base path has letters, digits and `._~-/` only. */
function escapePattern(basePath: string): string {
  return basePath.replaceAll('.', '\\.');
}

/** Serves a request with options whose deleter reports its calls as parts of the request's trace. */
async function traced<Result>(
  endpoint: Endpoint,
  exchange: Exchange,
  options: AppOptions,
  work: (options: AppOptions) => Promise<Result>,
): Promise<Result> {
  const { tracing, deleter } = options;
  if (tracing === undefined) return work(options);
  const spanNow = traceRequest(endpoint, exchange, tracing);
  try {
    return await work({ ...options, deleter: traceDeleter(deleter, spanNow, tracing) });
  } finally {
    // The log line of a refused request needs its trace.
    spanNow();
  }
}

function routeNotFound({ request }: Exchange, { basePath }: DocumentSettings): Refusal {
  const paths = apiPaths.map((path) => basePath + path).join(', ');
  const detail = [sentence('path_unknown', { path: excerpt(request.path) }), sentence('paths', { paths })];
  return { code: 'route_not_found', detail };
}

/** The statuses that an operator investigates by the caller's network. */
const investigated = new Set([401, 403, 429]);

function refuse(exchange: Exchange, refusal: Refusal, options: RefusalOptions): void {
  const { request, response, language, requestId, prefersAllErrors, facts } = exchange;
  facts.refusal = refusal.code;
  const refused = refusedRequest(exchange, refusal);
  if (refused !== undefined) options.onAccountRefused?.(refused);
  if (investigated.has(statusOf[refusal.code])) facts.network = networkOf(request.ip);
  if (refusal.limit !== undefined) facts.limit = refusal.limit;
  const typeBase = typeBaseOf(options);
  sendProblem(response, refusal, { language, requestId, typeBase, prefersAllErrors });
}

/** Answers 503 when a retry may help, otherwise 500. Only the log shows the cause. */
function answerFault({ log, ...options }: AppOptions): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, _request: Request, response: Response, _next: unknown) => {
    if (error instanceof CallerGone) return;
    const fault = asFault(error);
    const exchange = exchangeOf(response);
    const { requestId, facts } = exchange;
    log.error({ requestId, trace_id: facts.trace_id, err: fault }, 'a request failed');
    if (response.headersSent) response.destroy();
    else refuse(exchange, { code: fault.code === 'internal' ? 'internal_error' : 'unavailable' }, options);
  };
}
