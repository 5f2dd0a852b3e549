const maxLength = 128;

/**
 * Cuts a caller's value to 128 characters before a response repeats it. Drops or replaces half a surrogate pair,
 * because strict JSON parsers refuse it.
 */
export function echo(value: string): string {
  const cut = value.slice(0, maxLength);
  const splitsPair = value.length > maxLength && /[\uD800-\uDBFF]$/.test(cut);
  return (splitsPair ? cut.slice(0, -1) : cut).replace(/\p{Surrogate}/gu, '\uFFFD');
}
