import type { Accounts } from '@jobs-delete/accounts/accounts';
import { membershipOf } from '@jobs-delete/accounts/people/people';
import { parseUrl } from '@jobs-delete/runtime/config/addresses';
import { networkOf } from '@jobs-delete/runtime/net/remote-address';
import { parse } from 'cookie';
import type { Request, Response } from 'express';
import { accountOf } from './account-path.ts';
import type { Keys } from '../services.ts';
import { csrfToken, newBrowserSecret, yearMs, type Cookies } from './browser-cookie.ts';
import { findSignedIn, type LookUpSession } from './browser-sessions.ts';
import { isLanguage, languages, type Language } from './language.ts';
import { readNotice } from './notices.ts';
import type { SignedIn, Visit } from './route.ts';
import { findTimeZone } from './time-zones.ts';
import { firstDayOf, utc } from './time.tsx';

export interface VisitOptions {
  readonly accounts: Accounts;
  readonly cookies: Cookies;
  readonly keys: Pick<Keys, 'csrf'>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly lookUpSession: LookUpSession;
}

const touchMs = 60_000;

/** Reads the request of a browser, and its session. Gives a new browser its cookie. */
export async function readVisit(
  request: Request,
  response: Response,
  { accounts, cookies, keys, now, onError, lookUpSession }: VisitOptions,
): Promise<Visit> {
  const sent = parse(request.headers.cookie ?? '');
  const nowMs = now();
  const network = networkOf(request.ip);
  const url = urlOf(request.originalUrl);
  const lookUp = async (secret: string | undefined) => {
    if (secret?.length !== 43) return undefined;
    const find = () => findSignedIn(accounts, { secret, accountId: accountOf(url.pathname), nowMs });
    return lookUpSession(secret, network, find);
  };
  const signedIn = await lookUp(sent[cookies.session]);
  if (signedIn !== undefined && nowMs - signedIn.session.lastSeenAtMs >= touchMs)
    accounts.changeSession(signedIn.session.hash, { lastSeenAtMs: nowMs, network }).catch(onError);
  if (signedIn !== undefined) recordDay(accounts, signedIn, nowMs).catch(onError);

  const known = sent[cookies.browser];
  const browserSecret = known?.length === 43 ? known : newBrowserSecret();
  if (browserSecret !== known)
    response.cookie(cookies.browser, browserSecret, { ...cookies.options, maxAge: yearMs });

  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return {
    language: languageOf(request, sent[cookies.language]),
    zone: findTimeZone(sent[cookies.zone] ?? '') ?? utc,
    url: url.pathname + url.search,
    params: request.params as Record<string, string>,
    query: url.searchParams,
    notice: readNotice(url.searchParams, sent[cookies.notice]),
    form: new URLSearchParams(typeof request.body === 'string' ? request.body : ''),
    csrf: csrfToken(keys.csrf, browserSecret, signedIn?.session),
    browserSecret,
    signedIn,
    hasEndedSession: signedIn === undefined && sent[cookies.session] !== undefined,
    network,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 200),
    nowMs,
    signal: closed.signal,
  };
}

/** Records the day of a member's first request to the account. Others of that day write nothing. */
async function recordDay(accounts: Accounts, { person, accountId }: SignedIn, nowMs: number): Promise<void> {
  const todayMs = firstDayOf(nowMs, 1);
  const { lastSeenAtMs } = membershipOf(person, accountId) ?? {};
  if (lastSeenAtMs === undefined || lastSeenAtMs < todayMs)
    await accounts.recordMemberSeen(accountId, person.id, todayMs);
}

/** A path may start with `//`, and then is no address of a host. A proxy's request line has the whole address. */
function urlOf(target: string): URL {
  const text = target.startsWith('/') ? `http://host${target}` : target;
  return parseUrl(text) ?? new URL('http://host/');
}

function languageOf(request: Request, chosen: string | undefined): Language {
  if (isLanguage(chosen)) return chosen;
  const accepted = request.acceptsLanguages([...languages]);
  return languages.find((language) => language === accepted) ?? 'en';
}
