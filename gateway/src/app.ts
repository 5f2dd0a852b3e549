import type { ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import { createFairPermits } from '@jobs-delete/runtime/batching/permits';
import { asFault } from '@jobs-delete/runtime/fault';
import { networkOf, trustProxies, type TrustProxy } from '@jobs-delete/runtime/net/remote-address';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import type { Tracing } from '@jobs-delete/runtime/telemetry/tracing';
import { excerpt } from './http/answer/echo.ts';
import { sentence } from './messages/messages.ts';
import { statusOf } from './messages/problems.ts';
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
import { checkedCall, type Call } from './http/checked-call.ts';
import { allowOrigin, answerPreflight, isPreflight } from './http/cors.ts';
import { deleteJobs, type DeleteJobsOptions } from './http/delete-jobs.ts';
import { typeBaseOf, type DocumentSettings, type PublicDocument } from './http/documents/public-document.ts';
import { publicDocuments } from './http/documents/public-documents.ts';
import {
  apiPaths,
  deletionEndpoint,
  endpoints,
  jobsEndpoint,
  whoamiEndpoint,
  type ApiPath,
} from './http/endpoints.ts';
import { exchangeOf, startExchange, type Exchange } from './http/exchange.ts';
import { listOwnJobs, whoAmI, type WhoAmIOptions } from './http/serve-account.ts';
import { serveDeletion, type ReadDeletionOptions } from './http/serve-deletion.ts';
import { tracedCall } from './http/trace-request.ts';
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

/** Creates the public API. Each call runs the checks of checked-call.ts. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  trustProxies(app, options.trustProxy);

  app.use(setCommonHeaders);
  app.use(reportAnswer(options));
  if (options.cors === true) app.use(allowOrigin);
  const routeOf = createRoutes(options);
  app.use((request: Request, response: Response) => {
    const exchange = exchangeOf(response);
    const route = routeOf(request.path);
    if (route === undefined) refuse(exchange, routeNotFound(exchange, options), options);
    else if (options.cors === true && route.methods !== undefined && isPreflight(request))
      answerPreflight(response, route.methods);
    else return route.serve(exchange);
    return undefined;
  });
  app.use(answerFault(options));
  return app;
}

interface Route {
  /** Without the base path. */
  readonly path: string;
  readonly serve: (exchange: Exchange) => Promise<void> | void;
  /** The methods that a preflight allows; undefined for a document. */
  readonly methods?: readonly string[];
}

/** Returns a function that finds the route of a path. Express would try one layer for each path. */
function createRoutes(options: AppOptions): (path: string) => Route | undefined {
  const { basePath, docs = true, tracing, maxWaitingRequests = 1_000 } = options;
  const deletions = endpoints.map((endpoint) => {
    const call = checkedCall(endpoint, deleteJobs);
    const traced = tracing === undefined ? call : tracedCall(endpoint, call, tracing);
    return callRoute(endpoint, traced, sendAccepted, options);
  });
  const list = [
    ...deletions,
    callRoute(whoamiEndpoint, checkedCall(whoamiEndpoint, whoAmI), sendWhoAmI, options),
    callRoute(jobsEndpoint, checkedCall(jobsEndpoint, listOwnJobs), sendOwnJobs, options),
    ...(docs ? publicDocuments(options).map((document) => documentRoute(document, options)) : []),
  ];
  const routes = new Map(list.map((route) => [basePath + route.path, route]));

  const waitingPermits = createFairPermits({ total: () => maxWaitingRequests });
  const read = checkedCall(deletionEndpoint, serveDeletion);
  const status = callRoute(deletionEndpoint, read, sendDeletionStatus, { ...options, waitingPermits });
  const statusPath = new RegExp(`^${escapePattern(basePath)}${deletionEndpoint.pattern}$`);
  return (path) => routes.get(path) ?? (statusPath.test(path) ? status : undefined);
}

/** A call of the API, which needs credentials. */
function callRoute<Result extends object, Options extends RefusalOptions>(
  { path, methods, sandbox }: ApiPath,
  call: Call<Options, Result>,
  send: (response: ServerResponse, result: Result) => void,
  options: Options,
): Route {
  const serve = async (exchange: Exchange) => {
    const { response, facts } = exchange;
    facts.endpoint = path;
    if (sandbox) response.setHeader('Sandbox', 'true');
    const result = await call(exchange, options);
    if (isRefusal(result)) refuse(exchange, result, options);
    else send(response, result);
  };
  return { path, methods, serve };
}

/** A document is for people. More of them read English than French, the language of refusals. */
function documentRoute(document: PublicDocument, settings: DocumentSettings): Route {
  const methods = ['GET', 'HEAD'];
  const serve = (exchange: Exchange) => {
    const { request, response, acceptedLanguage = 'en' } = exchange;
    if (!methods.includes(request.method))
      refuse(exchange, methodNotAllowed(request.method, methods), settings);
    else sendDocument(response, document.render(acceptedLanguage), () => request.fresh);
  };
  return { path: document.path, serve };
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

/** The base path has letters, digits and `._~-/` only. */
function escapePattern(basePath: string): string {
  return basePath.replaceAll('.', '\\.');
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
  if (investigated.has(statusOf(refusal.code))) facts.network = networkOf(request.ip);
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
