import type { DeletionLimit as LimitMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeletionLimit';
import type { SafetyRules__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/SafetyRules';

/** What protects an account from its own mistakes, and how much of its limit is used. */
export interface AccountSafety {
  /** Time between acceptance and removal. 0: none. */
  readonly removalDelayMs: number;
  /** The most jobs that the account deletes within 24 hours. Undefined: no limit. */
  readonly limit: DeletionLimit | undefined;
  /** Those that have not ended. */
  readonly allowances: readonly Allowance[];
  /** Undefined without a limit. */
  readonly usage: DeletionUsage | undefined;
}

export type DeletionLimit =
  | { readonly kind: 'jobs'; readonly jobs: number }
  /** In percent of the most jobs that the account had within 24 hours. */
  | { readonly kind: 'percent'; readonly percent: number };

/** Raises the limit until a time. */
export interface Allowance {
  readonly id: string;
  readonly jobs: number;
  readonly untilMs: number;
}

export interface DeletionUsage {
  readonly used: number;
  /** Reserved by apis. Within a minute they are used or free. */
  readonly held: number;
  /** With the allowances. Undefined for a share, while the jobs of the account are not counted. */
  readonly limitJobs: number | undefined;
}

/** Absent members stay as they are. */
export interface SafetyChange {
  readonly removalDelayMs?: number;
  readonly limit?: DeletionLimit | 'none';
}

export function readSafety({ limit, usage, ...rules }: SafetyRules__Output): AccountSafety {
  return {
    removalDelayMs: rules.removalDelayMs,
    limit: limit === null ? undefined : readLimit(limit),
    // An api of an older version returns those that were ended early, with 0 jobs.
    allowances: rules.allowances.filter(({ jobs }) => jobs > 0),
    usage: usage === null ? undefined : { ...usage, limitJobs: usage.limitJobs },
  };
}

function readLimit({
  kind,
  jobs = 0,
  percent = 0,
}: NonNullable<SafetyRules__Output['limit']>): DeletionLimit {
  return kind === 'percent' ? { kind, percent } : { kind: 'jobs', jobs };
}

export function encodeLimit(limit: DeletionLimit | 'none'): LimitMessage {
  if (limit === 'none') return {};
  return limit.kind === 'jobs' ? { jobs: limit.jobs } : { percent: limit.percent };
}
