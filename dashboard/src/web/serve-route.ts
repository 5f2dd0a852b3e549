import type { Request, RequestHandler } from 'express';
import { accountOf, accountPath, isOfAccount } from './account-path.ts';
import { isCsrfToken } from './browser-cookie.ts';
import { problemPage } from './problem-page.tsx';
import { readVisit, type VisitOptions } from './read-visit.ts';
import type { Refusal, RefusedRequest } from './refusal.ts';
import { includesRole, recentMs, type MemberVisit, type Reply, type Route, type Visit } from './route.ts';
import type { WriteLimit } from './write-limit.ts';
import { sendReply, type OpenFiles, type PageContext } from './send-reply.tsx';

export interface ServeOptions extends VisitOptions {
  readonly files: OpenFiles;
  readonly writes: WriteLimit;
  /** The address that people open. */
  readonly publicUrl: string;
  /** Aborts when the process stops. */
  readonly stopping: AbortSignal;
  readonly onRefused: (refused: RefusedRequest) => void;
}

/** Serves a route to those who may use it. */
export function serveRoute(route: Route, options: ServeOptions): RequestHandler {
  return async (request, response) => {
    const visit = await readVisit(request, response, options);
    const member = memberOf(visit);
    const context: PageContext = { visit, member, ...options };
    const reply = await answer(route, request, visit, options);
    if ('refusal' in reply && reply.refusal !== undefined)
      options.onRefused(refusedRequest(route, reply.status ?? 200, visit, reply.refusal));
    await sendReply(response, reply, context);
  };
}

function refusedRequest(
  { method, path }: Route,
  status: number,
  { network, signedIn }: Visit,
  { code, personId = signedIn?.person.id }: Refusal,
): RefusedRequest {
  const accountId = signedIn?.accountId;
  return { method, route: path, status, refusal: code, network, personId, accountId };
}

async function answer(
  route: Route,
  request: Request,
  visit: Visit,
  { writes, publicUrl }: Pick<ServeOptions, 'writes' | 'publicUrl'>,
): Promise<Reply> {
  const member = memberOf(visit);
  if (route.method === 'POST' && !isOwnForm(request, visit, publicUrl))
    return problemPage(visit, 403, 'expiredForm', 'form_refused');
  if (route.access === 'anyone') return route.serve(visit);
  if (member === undefined) return { kind: 'redirect', to: signInPath(route, visit) };
  if (route.access === 'session') return route.serve(member);
  if (accountOf(visit.url) !== member.accountId) return { kind: 'not-found' };
  if (member.isDisabled) return problemPage(visit, 403, 'disabled', 'account_disabled');
  if (!includesRole(member.role, route.access)) return problemPage(visit, 403, 'forbidden', 'role_missing');
  if (route.recent && visit.nowMs - member.session.provenAtMs >= recentMs)
    return {
      kind: 'redirect',
      to: accountPath(member, `/sign-in/again?next=${encodeURIComponent(pageOf(route, visit))}`),
    };
  if (route.method === 'POST' && !writes.allows(member.person.id))
    return problemPage(visit, 429, 'tooMany', 'too_many_requests');
  return route.serve(member);
}

/** Returns undefined for a browser that is not signed in to an account. */
export function memberOf(visit: Visit): MemberVisit | undefined {
  return visit.signedIn && { ...visit, ...visit.signedIn };
}

/** Requires the token of this browser and session. Refuses what a browser declares as the form of another site. */
function isOwnForm({ headers }: Request, visit: Visit, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  // Browsers send it over HTTPS and to localhost only. They send `Origin` with every form.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const isOwnOrigin = origin === new URL(publicUrl).origin || origin?.split('://')[1] === host;
  if (site === undefined && origin !== undefined && !isOwnOrigin) return false;
  return isCsrfToken(visit.form.get('csrf'), visit.csrf);
}

function signInPath(route: Route, visit: Visit): string {
  const page = pageOf(route, visit);
  return page === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(page)}`;
}

/** The page of a form is the first part of its path, in its account. */
function pageOf(route: Route, { url }: Visit): string {
  if (route.method === 'GET') return url;
  return (isOfAccount(route) ? /^\/a\/[^/]*\/[^/?]*/ : /^\/[^/?]*/).exec(url)?.[0] ?? '/';
}
