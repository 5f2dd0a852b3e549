import type { Request, RequestHandler } from 'express';
import { findNoticeSubject } from '../trail/notice-subject.tsx';
import { accountOf, signInAgainPath, signInPath } from './account-path.ts';
import { isCsrfToken, personNamedBy, personOfForm } from './browser-cookie.ts';
import { filledPage, keepingPage, keptInput } from './late-form.tsx';
import { pageOfFormAddress } from './page-of-form.ts';
import { problemPage } from './problem-page.tsx';
import { readVisit, type VisitOptions } from './read-visit.ts';
import {
  includesRole,
  recentMs,
  type Refusal,
  type RefusalCode,
  type Reply,
  type Route,
  type Visit,
} from './route.ts';
import type { Services } from '../services.ts';
import type { WriteLimit } from './write-limit.ts';
import { sendReply, type ReplyOptions } from './send-reply.tsx';

export interface ServeOptions extends VisitOptions, ReplyOptions, Pick<Services, 'openId'> {
  readonly writes: WriteLimit;
  readonly onRefused: (refused: RefusedRequest) => void;
}

/** A refusal as it is logged: without secrets, and without an e-mail address. */
interface RefusedRequest {
  readonly method: string;
  /** The pattern of the path: the path of a link contains its secret. */
  readonly route: string;
  readonly status: number;
  readonly refusal: RefusalCode;
  readonly network: string;
  readonly personId: string | undefined;
  readonly accountId: string | undefined;
}

/**
 * Serves a route to those who may use it.
 * @param page the page that shows the form, for the route of a form
 */
export function serveRoute(route: Route, page: Route | undefined, options: ServeOptions): RequestHandler {
  return async (request, response) => {
    const visit = await readVisit(request, response, options);
    // The answer to a failure has the frame of the page.
    response.locals.visit = visit;
    const answered = await answer({ route, page }, request, visit, options);
    const reply =
      answered.kind === 'page'
        ? {
            ...answered,
            noticeSubject: await findNoticeSubject(options.accounts, visit),
            isRefused: route.method === 'POST' && page?.path === route.path && answered.status === 422,
          }
        : answered;
    if ('refusal' in reply && reply.refusal !== undefined)
      options.onRefused(refusedRequest(route, reply.status ?? 200, visit, reply.refusal));
    await sendReply(response, reply, visit, options);
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
  { route, page }: { readonly route: Route; readonly page: Route | undefined },
  request: Request,
  visit: Visit,
  options: Pick<ServeOptions, 'writes' | 'publicUrl' | 'keys' | 'openId'>,
): Promise<Reply> {
  const member = visit.signedIn && { ...visit, ...visit.signedIn };
  const formPath = page && pageOfFormAddress(page, visit.url);
  const next = route.method === 'GET' ? visit.url : (formPath ?? '/');
  const kept = keptInput(route, visit.form);
  const form = route.method === 'POST' ? formOf(request, visit, options) : undefined;
  if (form === 'foreign' || (form === 'late' && kept.size === 0))
    return problemPage(visit, 'expiredForm', { formPath });
  if (route.access === 'anyone') return route.serve(visit);
  if (member === undefined)
    return form === 'late'
      ? keepingPage(options, visit, kept, { code: 'form_refused' })
      : { kind: 'redirect', to: signInPath(next) };
  if (route.access === 'session') return route.serve(member);
  if (accountOf(visit.url) !== member.accountId) return { kind: 'not-found' };
  if (member.isDisabled) return problemPage(visit, 'disabled');
  if (!includesRole(member.role, route.access))
    return problemPage(visit, 'forbidden', { code: 'role_missing', neededRole: route.access });
  if (route.recent && visit.nowMs - member.session.provenAtMs >= recentMs)
    return kept.size > 0
      ? keepingPage(options, visit, kept)
      : { kind: 'redirect', to: signInAgainPath(member, next) };
  if (form === 'late') return page === undefined ? { kind: 'not-found' } : filledPage(page, member, kept);
  if (form !== undefined && !options.writes.allows(member.person.id)) return problemPage(visit, 'tooMany');
  return route.serve(member);
}

/**
 * Requires the token of this browser and session. A form of the same person from an earlier session is late: it changes
 * nothing. So is a form without its cookie, if its token names this person and its headers say that a page of the dashboard
 * sent it. Refuses what a browser declares as the form of another site.
 */
function formOf(
  { headers }: Request,
  { form, csrf, browserSecret, signedIn }: Visit,
  { publicUrl, keys }: Pick<ServeOptions, 'publicUrl' | 'keys'>,
): 'current' | 'late' | 'foreign' {
  const { origin, host, 'sec-fetch-site': site } = headers;
  // Browsers send `Sec-Fetch-Site` over HTTPS and to localhost only. They send `Origin` with every form.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign';
  const isOwnOrigin = origin === new URL(publicUrl).origin || origin?.split('://')[1] === host;
  if (site === undefined && origin !== undefined && !isOwnOrigin) return 'foreign';
  const token = form.get('csrf') ?? '';
  if (isCsrfToken(token, csrf)) return 'current';
  const isFromPage = site === 'same-origin' || (site === undefined && isOwnOrigin);
  const personId =
    personOfForm(keys.csrf, browserSecret, token) ?? (isFromPage ? personNamedBy(token) : undefined);
  const isOfPerson = personId !== undefined && (signedIn === undefined || signedIn.person.id === personId);
  return isOfPerson ? 'late' : 'foreign';
}
