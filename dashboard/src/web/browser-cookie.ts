import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Session } from '@jobs-delete/accounts/people/people';
import type { CookieOptions } from 'express';

/** Names and options of the dashboard's cookies. */
export interface Cookies {
  /** The secret of the session. */
  readonly session: string;
  /** A secret that the browser keeps for a year: the base of its CSRF tokens. */
  readonly browser: string;
  readonly language: string;
  /** The time zone of the pages. */
  readonly zone: string;
  /** The notice of a redirect, until the next page shows it. */
  readonly notice: string;
  readonly options: CookieOptions;
}

/** With the prefix `__Host-`, no other host of the domain can set the cookie. Browsers accept it only with TLS. */
export function cookiesOf(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  return {
    session: `${prefix}session`,
    browser: `${prefix}browser`,
    language: `${prefix}language`,
    zone: `${prefix}zone`,
    notice: `${prefix}notice`,
    options: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
  };
}

export const yearMs = 365 * 24 * 3_600_000;

export function newBrowserSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the token of a browser's forms. It changes with the session, so a token from before the sign-in is worth nothing
 * after it. Its second part names the person, and stays the same in all their sessions of this browser.
 */
export function csrfToken(
  key: Buffer,
  browserSecret: string,
  session: Pick<Session, 'id' | 'personId'> | undefined,
): string {
  const ofSession = macOf(key, `${browserSecret} ${session?.id ?? ''}`);
  return session === undefined
    ? ofSession
    : `${ofSession}.${personToken(key, browserSecret, session.personId)}`;
}

/** Returns the id of the person whom a token names, without a proof. */
export function personNamedBy(token: string): string | undefined {
  return /^[0-9a-f]{24}(?=\.)/.exec(personPartOf(token))?.[0];
}

/** Returns the part of a token that only proves whose form it was. It never makes a form act. */
export function personPartOf(token: string): string {
  return token.split('.').slice(-2).join('.');
}

/** Returns the id of the person whom this browser has got the form for, also in an earlier session. */
export function personOfForm(key: Buffer, browserSecret: string, token: string): string | undefined {
  const part = personPartOf(token);
  const [personId = ''] = part.split('.');
  return isCsrfToken(part, personToken(key, browserSecret, personId)) ? personId : undefined;
}

function personToken(key: Buffer, browserSecret: string, personId: string): string {
  return `${personId}.${macOf(key, `${browserSecret} person ${personId}`)}`;
}

function macOf(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

export function isCsrfToken(text: string | null, token: string): boolean {
  const [given, expected] = [Buffer.from(text ?? ''), Buffer.from(token)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
