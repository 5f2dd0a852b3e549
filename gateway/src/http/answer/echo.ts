const maxLength = 128;
/** A sentence repeats less of a value than the member that names it. */
const maxExcerptLength = 64;

/** The start of an API token or secret key, with some of its id. */
const credential = /(jd[ts]_)[0-9a-f]{8}[0-9a-f_]*/gi;

/**
 * Cuts a caller's value to 128 characters before a response repeats it, and removes credentials from it. Drops or
 * replaces half a surrogate pair, because strict JSON parsers refuse it.
 */
export function echo(value: string, length = maxLength): string {
  const cut = value.slice(0, length);
  const splitsPair = value.length > length && /[\uD800-\uDBFF]$/.test(cut);
  return (splitsPair ? cut.slice(0, -1) : cut)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(credential, '$1…');
}

/** Returns the start of a caller's value for a sentence about it. */
export function excerpt(value: string): string {
  return echo(value, maxExcerptLength) + (value.length > maxExcerptLength ? '…' : '');
}

/** Returns a character as it is, or as `U+00A0` if nobody can see it. */
export function visible(character: string): string {
  if (!/[\p{C}\p{Z}]/u.test(character)) return character;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
