import { createPermits, type Permits } from '@jobs-delete/runtime/batching/permits';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { linkAbort } from '@jobs-delete/runtime/time/clock';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { yearMs, type Cookies } from './browser-cookie.ts';
import { Layout } from './layout.tsx';
import { noticeCookieOf } from './notices.ts';
import { problemPage } from './problem-page.tsx';
import type { Reply, ReplyOf, Visit } from './route.ts';
import { TimeZoneContext } from './time.tsx';

export interface ReplyOptions {
  readonly cookies: Cookies;
  readonly files: OpenFiles;
  readonly stopping: AbortSignal;
  /** The address that people open. */
  readonly publicUrl: string;
  /** The address of the API without a final slash. */
  readonly apiUrl: string;
}

/** The files that browsers are loading. Each holds a page of rows in memory. */
export interface OpenFiles {
  /** By person. */
  readonly permits: Permits;
  /** A browser that takes nothing for so long is cut off. */
  readonly idleMs: number;
}

export function createOpenFiles(): OpenFiles {
  return { permits: createPermits({ perKey: 4, total: 100 }), idleMs: 60_000 };
}

/** Sends what a route has answered. Caches store no answer unless it says so: pages show what belongs to an account. */
export async function sendReply(
  response: Response,
  reply: Reply,
  visit: Visit,
  options: ReplyOptions,
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  switch (reply.kind) {
    case 'page':
      sendPage(response, reply, visit, options);
      return;
    case 'not-found':
      sendPage(response, problemPage(visit, reply.problem ?? 'notFound'), visit, options);
      return;
    case 'json':
      response.status(reply.status ?? 200).json(reply.value);
      return;
    case 'redirect':
      sendRedirect(response, reply, visit, options);
      return;
    case 'file':
      await sendFile(response, reply, visit, options);
      return;
    case 'events':
      await sendEvents(response, reply, visit, options.stopping);
  }
}

async function sendFile(
  response: Response,
  { name, chunks }: ReplyOf<'file'>,
  visit: Visit,
  options: ReplyOptions,
): Promise<void> {
  const { permits, idleMs } = options.files;
  const personId = visit.signedIn?.person.id ?? '';
  if (!permits.take(personId)) {
    sendPage(response, problemPage(visit, 'unavailable'), visit, options);
    return;
  }
  response.attachment(name);
  // A pipeline adds several, beside those of the request: Node.js would warn of a leak.
  response.setMaxListeners(20);
  response.setTimeout(idleMs, () => response.destroy());
  try {
    await pipeline(Readable.from(chunks), response);
  } catch (error) {
    // A browser that leaves is no fault.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    permits.give(personId);
  }
}

function sendPage(
  response: Response,
  { status = 200, title, body, action, notice, noticeSubject, isKept, isRefused = false }: ReplyOf<'page'>,
  visit: Visit,
  { cookies, publicUrl, apiUrl }: ReplyOptions,
): void {
  if (isKept && obeysClearSiteData(publicUrl)) response.setHeader('Cache-Control', 'private, no-cache');
  if (visit.notice !== undefined) response.clearCookie(cookies.notice, cookies.options);
  const page = renderFor(
    visit,
    <Layout {...{ visit, title, apiUrl, action, notice, noticeSubject, isRefused }}>{body}</Layout>,
  );
  response.setHeader('Content-Language', visit.language);
  response.status(status).type('html').send(`<!doctype html>${page}`);
}

/** Returns HTML with times in the zone of the person. */
function renderFor({ zone }: Visit, part: VNode): string {
  return render(<TimeZoneContext.Provider value={zone}>{part}</TimeZoneContext.Provider>);
}

function sendRedirect(
  response: Response,
  { to, session, language, zone }: ReplyOf<'redirect'>,
  visit: Visit,
  { cookies }: ReplyOptions,
): void {
  const notice = noticeCookieOf(to);
  const lasting = { ...cookies.options, maxAge: yearMs };
  // The redirect of an address with a notice must not confirm it.
  if (notice !== undefined && !visit.query.has('notice'))
    response.cookie(cookies.notice, notice, { ...cookies.options, maxAge: noticeMs });
  if (session === null) response.clearCookie(cookies.session, cookies.options);
  else if (session !== undefined) response.cookie(cookies.session, session, cookies.options);
  // Back must not show what was kept in the session before.
  if (session !== undefined) response.setHeader('Clear-Site-Data', '"cache"');
  if (language !== undefined) response.cookie(cookies.language, language, lasting);
  if (zone !== undefined) response.cookie(cookies.zone, zone, lasting);
  response.redirect(303, to);
}

/** Returns whether browsers obey `Clear-Site-Data` from this address: over TLS or from localhost (W3C Clear Site Data, 4.1). */
function obeysClearSiteData(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || hostname === 'localhost';
}

/** Long enough for the next page. */
const noticeMs = 60_000;

const heartbeatMs = 15_000;

async function sendEvents(
  response: Response,
  { open }: ReplyOf<'events'>,
  visit: Visit,
  stopping: AbortSignal,
): Promise<void> {
  const ended = linkAbort(stopping);
  visit.signal.addEventListener('abort', ended.abort);
  // The browser may have left before.
  if (visit.signal.aborted) ended.abort();
  response.type('text/event-stream');
  // A connection that stays open after the stream would delay the stop.
  response.setHeader('Connection', 'close');
  // nginx would collect the events.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  // A comment: proxies end connections that are silent.
  const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs);
  try {
    for await (const part of open(ended.signal)) {
      if (ended.signal.aborted) break;
      const lines = renderFor(visit, part)
        .split('\n')
        .map((line) => `data: ${line}\n`);
      if (!response.write(`${lines.join('')}\n`)) await once(response, 'drain', { signal: ended.signal });
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    ended.unlink();
  }
  response.end();
}
