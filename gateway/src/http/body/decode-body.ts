import { isUtf8 } from 'node:buffer';
import { malformed } from './fault-list.ts';
import type { Refusal } from '../answer/problem.ts';

/** The body's text, a byte-order mark included. Bytes that are not UTF-8 are refused, never replaced. */
export function decodeBody(body: Buffer): string | Refusal {
  if (body.length === 0) return malformed([], 'body_absent');
  if (!isUtf8(body)) return malformed([], 'body_not_utf8');
  return body.toString('utf8');
}
