import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { createPermits } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import { networkOf, type TrustProxy, trustProxies } from '@jobs-delete/runtime/net/remote-address';
import type { ObserveRequest } from '@jobs-delete/runtime/telemetry/metrics';
import express from 'express';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { maxIdsFormBytes } from './jobs/sent-ids.ts';
import type { Services } from './services.ts';
import { accountPath, isOfAccount, patternOf, signInPath } from './web/account-path.ts';
import { assets } from './web/assets.ts';
import { cookiesOf } from './web/browser-cookie.ts';
import { pageOfFormAddress, pageOfForm } from './web/page-of-form.ts';
import { problemPage } from './web/problem-page.tsx';
import { readVisit } from './web/read-visit.ts';
import type { RefusalCode, Route, Visit } from './web/route.ts';
import { createOpenFiles, sendReply } from './web/send-reply.tsx';
import { type ServeOptions, serveRoute } from './web/serve-route.tsx';
import { createSessionLookUps } from './web/browser-sessions.ts';

interface AppOptions {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly trustProxy: TrustProxy;
  /** Look-ups of sessions that wait for their turn; 0 for no queue and no limit. */
  readonly maxWaitingAuthentications: number;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  readonly onAnswered: ObserveRequest;
  readonly onRefused: (code: RefusalCode) => void;
}

const formType = 'application/x-www-form-urlencoded';
const maxFormBytes = 65_536;

/** Assembles the dashboard: headers, files, the routes, and a page for every failure. */
export function createApp(appOptions: AppOptions): Express {
  const { services, routes, trustProxy, stopping, onAnswered, onRefused, maxWaitingAuthentications } =
    appOptions;
  const { log, publicUrl } = services;
  const options: ServeOptions = {
    ...services,
    cookies: cookiesOf(publicUrl),
    lookUpSession:
      maxWaitingAuthentications === 0
        ? (_secret, _network, find) => find()
        : createSessionLookUps({ maxWaiting: maxWaitingAuthentications }),
    files: createOpenFiles(),
    stopping,
    onError: (error) => log.warn({ err: error }, 'recording the use of a session failed'),
    onRefused: (refused) => {
      onRefused(refused.refusal);
      log.info({ ...refused }, 'refused');
    },
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  trustProxies(app, trustProxy);
  app.use(securityHeaders(publicUrl));
  for (const { path, content } of assets) {
    app.get(path, (_request, response) => {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      response.type(extname(path)).send(content);
    });
  }
  // As text: a field named `__proto__` is a field like any other.
  if (services.deletes)
    app.post(/^\/a\/[^/]+\/jobs\/delete(?:\/(?:allow|confirm|file|jobs\.csv))?$/, readIdsForms());
  app.use(express.text({ type: formType, limit: maxFormBytes }));
  for (const route of routes) {
    const handlers = [observe(route.path, onAnswered), serveRoute(route, pageOfForm(routes, route), options)];
    if (route.method === 'GET') app.get(patternOf(route), ...handlers);
    else app.post(patternOf(route), ...handlers);
  }
  for (const route of formsWithoutPage(routes))
    app.get(patternOf(route), observe(route.path, onAnswered), toFormPage(pageOfForm(routes, route)));
  app.use(observe('other', onAnswered), toOwnAccount(routes, options), notFound(options));
  app.use(failed(options, services));
  return app;
}

/** Reads forms with ids. Who sends one is known only afterwards, so a few are in memory at a time. */
function readIdsForms(): RequestHandler {
  const permits = createPermits({ perKey: 20, total: 40 });
  const read = express.text({ type: formType, limit: maxIdsFormBytes });
  return (request, response, next) => {
    const network = networkOf(request.ip);
    if (!permits.take(network)) {
      next(new Fault('busy', 'dashboard: too many forms with ids'));
      return;
    }
    response.once('close', () => permits.give(network));
    read(request, response, next);
  };
}

/** Reloading a refused form, or changing its language, requests the form's target with GET. */
function formsWithoutPage(routes: readonly Route[]): readonly Route[] {
  const pages = routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  return routes.filter(({ method, path }) => method === 'POST' && !pages.includes(path));
}

function toFormPage(page: Route | undefined): RequestHandler {
  return (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, page === undefined ? '/' : pageOfFormAddress(page, request.path));
  };
}

function observe(path: string, onAnswered: ObserveRequest): RequestHandler {
  return (_request, response, next) => {
    const startMs = performance.now();
    response.once('close', () => {
      const outcome = response.writableFinished ? response.statusCode : 'aborted';
      onAnswered(path, outcome, performance.now() - startMs);
    });
    next();
  };
}

/** Leads from an address without an account, such as `/keys`, to the same page of the session's account. */
function toOwnAccount(routes: readonly Route[], options: ServeOptions): RequestHandler {
  const firstPart = (path: string) => path.split('/')[1] ?? '';
  const pages = new Set(routes.filter(isOfAccount).map(({ path }) => firstPart(path)));
  return async (request, response, next) => {
    const isPage =
      request.path === '/' || (pages.has(firstPart(request.path)) && firstPart(request.path) !== '');
    if (!['GET', 'HEAD'].includes(request.method) || !isPage) {
      next();
      return;
    }
    const visit = await readVisit(request, response, options);
    const { signedIn, url } = visit;
    const to = signedIn === undefined ? signInPath(url) : accountPath(signedIn, url as `/${string}`);
    await sendReply(response, { kind: 'redirect', to }, visit, options);
  };
}

function notFound(options: ServeOptions): RequestHandler {
  return async (request, response) => {
    const visit = await readVisit(request, response, options);
    await sendReply(response, { kind: 'not-found' }, visit, options);
  };
}

/** Answers with a page that names no detail. The log has it, with the reference of the page. */
function failed(options: ServeOptions, { log }: Services): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return async (error: unknown, request, response, _next) => {
    const status = statusOf(error);
    const reference = status >= 500 ? { reference: randomBytes(4).toString('hex') } : undefined;
    if (reference) log.error({ err: error, route: routeOf(request), ...reference }, 'a page failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const lookUpSession = () => Promise.resolve(undefined);
    // Undefined if no route has begun: then nothing is changed.
    const begun = response.locals.visit as Visit | undefined;
    const visit = begun ?? (await readVisit(request, response, { ...options, lookUpSession }));
    const problem = status < 500 ? 'badRequest' : status === 503 ? 'unavailable' : 'failure';
    const isForm = status >= 500 && request.method === 'POST';
    const about = { ...reference, isForm, isUnchanged: begun === undefined };
    await sendReply(response, { ...problemPage(visit, problem, about), status }, visit, options);
  };
}

/** The path's pattern: the path of a link contains its secret. */
function routeOf({ route }: Request): string {
  return (route as { readonly path: string } | undefined)?.path ?? 'other';
}

function statusOf(error: unknown): number {
  if (error instanceof Fault) return error.code === 'internal' ? 500 : 503;
  // Errors of Express and its body parser, such as a form that is too large.
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

/** Every page loads only files of the dashboard, and no page runs inside another. */
export function securityHeaders(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure ? { includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    // A form's target sees the origin, which the CSRF check needs. A foreign site sees nothing.
    referrerPolicy: { policy: 'same-origin' },
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
