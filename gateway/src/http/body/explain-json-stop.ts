import { sentence, type SentenceCode } from '../../messages/sentences.ts';
import { visible } from '../answer/echo.ts';
import type { Detail } from '../answer/refusal.ts';
import type { JsonStop } from './scan-json.ts';

/** Explains why the scan of a text has stopped: what is wrong, where, and how to correct it. */
export function explainJsonStop(text: string, { reason, at }: JsonStop, maxDepth: number): Detail {
  if (reason === 'too_deep') return [sentence('body_too_deep', { limit: maxDepth })];
  if (/^\ufeff?\s*</.test(text)) return [sentence('body_is_xml')];
  const place = placeOf(text, at);
  const code = text.codePointAt(at);
  if (code === undefined) return [sentence('json_ends', place), sentence('json_close')];
  const found = String.fromCodePoint(code);
  return [sentence('json_syntax', { found: visible(found), ...place }), sentence(remedyOf(text, at, found))];
}

/** Returns line and column of an index, both from 1. A byte-order mark has no column. */
function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
    line++;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}

function remedyOf(text: string, at: number, found: string): SentenceCode {
  if (/[\p{L}'‘’“”«`]/u.test(found)) return 'json_quotes';
  if (found < ' ') return 'json_close';
  const follows = text.slice(0, at).trimEnd().at(-1);
  return /[\]}]/.test(found) && follows === ',' ? 'json_comma' : 'json_correct';
}
