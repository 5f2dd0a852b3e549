import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';

export interface RefusalsOfCode {
  readonly code: string;
  readonly count: number;
  /** The latest day with such a refusal. */
  readonly lastDay: string;
}

/** Adds up the days of each code. The most frequent code is the first. */
export function sumByCode(refusals: readonly RefusalCount[]): readonly RefusalsOfCode[] {
  const sums = new Map<string, RefusalsOfCode>();
  for (const { code, count, day } of refusals) {
    const { count: before = 0, lastDay = '' } = sums.get(code) ?? {};
    sums.set(code, { code, count: before + count, lastDay: day > lastDay ? day : lastDay });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** Returns the address of the API's page about a problem. */
export function problemUrl(apiUrl: string, code: string): string {
  return `${apiUrl}/problems/${encodeURIComponent(code.replaceAll('_', '-'))}`;
}
