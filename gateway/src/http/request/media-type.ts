export interface MediaType {
  /** `type/subtype`, in lower case. */
  readonly essence: string;
  /** In the order sent, with duplicates. Names are in lower case, values unquoted. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export const tokenPattern = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
export const quotedPattern =
  '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
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
export function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(.)/gs, '$1');
}
