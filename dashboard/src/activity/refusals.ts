import {
  type RefusalCount,
  type RefusedRequest,
  refusedRequestRetentionDays,
} from '@jobs-delete/accounts/refusal-recorder';
import { dayMs } from '../web/time.tsx';

interface RefusalsOfCode {
  readonly code: string;
  readonly count: number;
  readonly sandboxCount: number;
  /** The latest day with such a refusal. */
  readonly lastDay: string;
}

/** Adds up the days of each code. The most frequent code is the first. */
export function sumByCode(refusals: readonly RefusalCount[]): readonly RefusalsOfCode[] {
  const sums = new Map<string, RefusalsOfCode>();
  for (const { code, count, sandboxCount = 0, day } of refusals) {
    const before = sums.get(code) ?? { count: 0, sandboxCount: 0, lastDay: '' };
    sums.set(code, {
      code,
      count: before.count + count,
      sandboxCount: before.sandboxCount + sandboxCount,
      lastDay: day > before.lastDay ? day : before.lastDay,
    });
  }
  return [...sums.values()].sort(
    (a, b) => b.count - a.count || b.sandboxCount - a.sandboxCount || (a.code < b.code ? -1 : 1),
  );
}

/** Equal requests that follow each other, the newest first. */
export type RefusalGroup = readonly [RefusedRequest, ...RefusedRequest[]];

const equalFields = ['code', 'tokenId', 'origin', 'client', 'environment'] as const;
const sentFields = ['jobs', 'wrongEntry', 'wrongEntries'] as const;

/** Groups the requests that follow each other and are equal. */
export function foldRefusals(requests: readonly RefusedRequest[]): readonly RefusalGroup[] {
  const folded: [RefusedRequest, ...RefusedRequest[]][] = [];
  for (const request of requests) {
    const before = folded.at(-1);
    if (before && equalFields.every((field) => before[0][field] === request[field])) before.push(request);
    else folded.push([request]);
  }
  return folded;
}

/** Returns whether equal requests also sent the same entries. */
export function isSentAlike([first, ...others]: RefusalGroup): boolean {
  return others.every((other) => sentFields.every((field) => other[field] === first[field]));
}

/** Returns the time from which refused requests are listed. */
export function refusedFromMs(nowMs: number): number {
  return nowMs - refusedRequestRetentionDays * dayMs;
}

/** Returns the address of the API's page about a problem. */
export function problemUrl(apiUrl: string, code: string): string {
  return `${apiUrl}/problems/${encodeURIComponent(code.replaceAll('_', '-'))}`;
}
