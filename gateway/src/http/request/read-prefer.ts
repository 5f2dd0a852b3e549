import { quotedPattern, tokenPattern, unquote } from './media-type.ts';

const word = `(?:${tokenPattern}|${quotedPattern})`;
const parameter = `${tokenPattern}[ \\t]*(?:=[ \\t]*(?:${word}[ \\t]*)?)?`;
/** One member of the list, which may be empty, and its comma. Each part takes the white space after it: no backtracking. */
const preference = new RegExp(
  `[ \\t]*(?:(${tokenPattern})[ \\t]*(?:=[ \\t]*(?:(${word})[ \\t]*)?)?(?:;[ \\t]*(?:${parameter})?)*)?(?:,|$)`,
  'y',
);

/**
 * Returns whether the caller prefers `errors=all` (RFC 7240). Of several preferences `errors`, the first one counts. Ignores
 * other preferences, and everything after a syntax error.
 * @param values the `prefer` of `headersDistinct`: repeated list headers are one list
 */
export function prefersAllErrors(values: string[] | undefined): boolean {
  if (values === undefined) return false;
  const text = values.join(',');
  preference.lastIndex = 0;
  while (preference.lastIndex < text.length) {
    const match = preference.exec(text);
    if (match === null) return false;
    const [, name, value = ''] = match;
    if (name?.toLowerCase() === 'errors') return unquote(value).toLowerCase() === 'all';
  }
  return false;
}
