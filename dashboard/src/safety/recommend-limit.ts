import type { DeletionLimit } from '../deleter/account-safety.ts';
import type { DayCounts } from '../deleter/deleter-calls.ts';

/** The share of the jobs that an account without other advice may delete in 24 hours. */
export const usualPercent = 50;

/**
 * Returns the limit that an account should set: a quarter more than its busiest day, rounded up to two digits. Half of the jobs
 * if there was no such day, or if that would let requests delete every job. Undefined: its figures are not counted in time.
 */
export function recommendLimit(
  busiest: Pick<DayCounts, 'jobsAccepted'> | 'none' | undefined,
  count: number | undefined,
): DeletionLimit | undefined {
  const half = { kind: 'percent', percent: usualPercent } as const;
  if (busiest === 'none') return half;
  if (busiest === undefined || count === undefined) return undefined;
  const wanted = 1.25 * busiest.jobsAccepted;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(wanted)) - 1);
  const jobs = Math.ceil(wanted / step) * step;
  return jobs < count ? { kind: 'jobs', jobs } : half;
}

/** Returns whether a limit would have refused requests of the busiest day. False for a share while the jobs are not counted. */
export function isBelowUse(
  limit: DeletionLimit,
  busiest: Pick<DayCounts, 'jobsAccepted'>,
  count: number | undefined,
): boolean {
  const most = jobsOfLimit(limit, count);
  return most !== undefined && most < busiest.jobsAccepted;
}

/** Returns how many jobs a limit is at the moment. Undefined: it is a share, and the jobs are not counted. */
export function jobsOfLimit(limit: DeletionLimit, count: number | undefined): number | undefined {
  if (limit.kind === 'jobs') return limit.jobs;
  return count ? jobsOfShare(count, limit.percent) : undefined;
}

/** Returns how many jobs a share of them is. */
export function jobsOfShare(jobs: number, percent: number): number {
  return Math.floor((jobs * percent) / 100);
}
