const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A hundred years. A longer duration is a typing error. */
const maxMs = 36_500 * unitMs.d;

/** Parses a duration such as `90d`: a positive whole number and s, m, h, d or w. Returns undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,9})([smhdw])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const durationMs = Number(digits) * unitMs[unit as keyof typeof unitMs];
  return durationMs <= maxMs ? durationMs : undefined;
}
