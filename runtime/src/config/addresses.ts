import { z } from 'zod';

/**
 * Returns whether a text is an http or https URL without user, password, query and fragment: messages and logs show such
 * URLs. Refuses every `@`: after a raw slash in a password, a URL takes the rest of the password for its path.
 */
export function isServiceUrl(text: string): boolean {
  return /^https?:\/\/[^\s@?#\\]+$/i.test(text) && parseUrl(text) !== undefined;
}

/** @param error the message, which must not repeat the URL */
export function serviceUrlVariable(error: string) {
  return z.string().refine(isServiceUrl, { error });
}

/** The address of a service with a simple path, without a final slash. */
export function addressVariable(error: string) {
  return z
    .string()
    .refine((text) => isServiceUrl(text) && simpleForm.test(text), { error })
    .transform((url) => url.replace(/\/$/, ''));
}

const simpleForm = /^https?:\/\/[^\s/?#@\\]+(?:\/[A-Za-z0-9._~-]+)*\/?$/;

/** Avoids URL.canParse: in Node 20, the optimized call gives wrong results for characters such as ü. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a host is this machine: a loopback address, `localhost`, or a percent-encoded path of a socket. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|%2F.*)$/i.test(host);
}

/** The same for `HOST:PORT`, `[HOST]:PORT` or `HOST`. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopback(address.replace(/:\d+$/, ''));
}
