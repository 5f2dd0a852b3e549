export interface MediaType {
  /** `type/subtype`, in lower case. */
  readonly essence: string;
  /** In the order sent, with duplicates. Names are in lower case, values unquoted. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export const tokenPattern = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quotedPattern = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const essence = new RegExp(`^(${tokenPattern}/${tokenPattern})`);
const parameter = new RegExp(`[ \\t]*;[ \\t]*(?:(${tokenPattern})=(${tokenPattern}|${quotedPattern}))?`, 'y');

/** Parses a media type by the grammar of RFC 9110, 8.3.1. Returns undefined for anything else. */
export function parseMediaType(text: string): MediaType | undefined {
  const match = essence.exec(text);
  if (match === null) return undefined;
  const parameters: [string, string][] = [];
  let position = match[0].length;
  while (position < text.length) {
    parameter.lastIndex = position;
    const next = parameter.exec(text);
    if (next === null) return undefined;
    position = parameter.lastIndex;
    if (next[1] !== undefined) parameters.push([next[1].toLowerCase(), unquote(next[2] ?? '')]);
  }
  return { essence: match[0].toLowerCase(), parameters };
}

/** Returns the value of a token or a quoted string. */
function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(.)/gs, '$1');
}

const word = `(?:${tokenPattern}|${quotedPattern})`;
const preferParameter = `${tokenPattern}[ \\t]*(?:=[ \\t]*(?:${word}[ \\t]*)?)?`;
/** One member of the list, which may be empty, and its comma. Each part takes the white space after it: no backtracking. */
const preference = new RegExp(
  `[ \\t]*(?:(${tokenPattern})[ \\t]*(?:=[ \\t]*(?:(${word})[ \\t]*)?)?(?:;[ \\t]*(?:${preferParameter})?)*)?(?:,|$)`,
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
