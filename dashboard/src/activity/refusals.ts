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

/** Requests that were refused for the same cause, the newest first. */
export type RefusalGroup = readonly [RefusedRequest, ...RefusedRequest[]];

/** Their wrong entry names a header or a parameter. That of other codes is a value, of which each request may have another. */
const namesItsCause = new Set(['header_invalid', 'query_invalid']);

/** Returns the same text for requests of one token and one environment that were refused for the same cause. */
export function causeOf({ code, tokenId, environment, origin, wrongEntry }: RefusedRequest): string {
  const cause = code === 'origin_not_allowed' ? origin : namesItsCause.has(code) ? wrongEntry : undefined;
  return JSON.stringify([code, tokenId, environment, cause]);
}

/** Groups requests by their cause. The group with the newest request comes first. */
export function groupRefusals(requests: readonly RefusedRequest[]): readonly RefusalGroup[] {
  const groups = new Map<string, [RefusedRequest, ...RefusedRequest[]]>();
  for (const request of requests) {
    const cause = causeOf(request);
    const group = groups.get(cause);
    if (group) group.push(request);
    else groups.set(cause, [request]);
  }
  return [...groups.values()];
}

/** Returns whether all requests have the same values. */
export function isAlike(
  [first, ...others]: RefusalGroup,
  fields: readonly (keyof RefusedRequest)[],
): boolean {
  return others.every((other) => fields.every((field) => other[field] === first[field]));
}

/** Returns the time from which refused requests are listed. */
export function refusedFromMs(nowMs: number): number {
  return nowMs - refusedRequestRetentionDays * dayMs;
}

/** Returns the address of the API's page about a problem. */
export function problemUrl(apiUrl: string, code: string): string {
  return `${apiUrl}/problems/${encodeURIComponent(code.replaceAll('_', '-'))}`;
}
