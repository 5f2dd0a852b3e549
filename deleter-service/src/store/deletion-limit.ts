import type { Allowance, DeletionLimit } from './safety-rules.ts';

/** The rules that bound the jobs that an account deletes within 24 hours. */
export interface Guard {
  readonly limit: DeletionLimit;
  readonly allowances: readonly Allowance[];
}

/** Both in jobs. `limit` includes the allowances of the moment. */
export interface LimitExceeded {
  readonly limit: number;
  /** Number of jobs that the account has deleted within 24 hours. */
  readonly used: number;
}

/** The used part of an account's limit. */
export interface DeletionUsage {
  /** Jobs of accepted deletions, apart from the ones under `held`. */
  readonly used: number;
  /** Jobs that replicas have reserved, used or not. Within a minute they are `used` or free. */
  readonly held: number;
  /** Undefined for a share, while the jobs of the account are not counted. */
  readonly limit: number | undefined;
}

export interface UsageStore {
  readUsage(accountId: string, guard: Guard): Promise<DeletionUsage>;
}

/** Jobs are counted by quarters of an hour. */
export const quarterMs = 900_000;
/** A quarter counts until all of it is 24 hours old. */
export const countedMs = 86_400_000 + quarterMs;

/** A share is a percentage of the largest number of jobs within 24 hours. They are counted again after this time. */
export const countAgainMs = 3_600_000;
/** A request is only refused for a count that is younger. */
export const maxCountAgeMs = 60_000;

/** @param had the most jobs that the account had within 24 hours */
export function limitAt({ limit, allowances }: Guard, had: number, nowMs: number): number {
  const base = limit.kind === 'jobs' ? limit.jobs : Math.floor((had * limit.percent) / 100);
  return allowances.reduce((sum, { jobs, untilMs }) => (untilMs > nowMs ? sum + jobs : sum), base);
}
