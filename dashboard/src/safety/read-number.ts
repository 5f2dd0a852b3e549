/** More would not be exact in sums. */
const maxDigits = 12;

/** Returns a whole number in the range; undefined for any other text. */
export function readNumber(
  text: string | null,
  { min, max = Infinity }: { readonly min: number; readonly max?: number | undefined },
): number | undefined {
  const digits = text?.trim() ?? '';
  if (!/^\d+$/.test(digits) || digits.length > maxDigits) return undefined;
  const number = Number(digits);
  return number >= min && number <= max ? number : undefined;
}
