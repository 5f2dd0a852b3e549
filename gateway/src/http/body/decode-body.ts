import { isUtf8 } from 'node:buffer';
import { sentence } from '../../messages/sentences.ts';
import { malformed } from './fault-list.ts';
import type { Refusal } from '../answer/refusal.ts';

/** Returns the text of the body, with its byte-order mark. Refuses bytes that are not UTF-8. */
export function decodeBody(body: Buffer): string | Refusal {
  if (body.length === 0) return malformed([], [sentence('body_absent')]);
  if (!isUtf8(body)) return malformed([], [sentence('body_not_utf8')]);
  return body.toString('utf8');
}
