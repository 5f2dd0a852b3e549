const maxLength = 128;

/**
 * A value of the caller's as a response may repeat it: cut. Half a surrogate pair, left by the cut or sent so,
 * is dropped or replaced, because strict JSON parsers refuse it.
 */
export function echo(value: string): string {
  const cut = value.slice(0, maxLength);
  const splitsPair = value.length > maxLength && /[\uD800-\uDBFF]$/.test(cut);
  return (splitsPair ? cut.slice(0, -1) : cut).replace(/\p{Surrogate}/gu, '\uFFFD');
}
