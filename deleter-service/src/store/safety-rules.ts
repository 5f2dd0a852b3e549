/** Rules that protect an account from its own mistakes. They hold for every caller: HTTP, gRPC, command line, dashboard. */
export interface SafetyRules {
  /** Time between acceptance and removal, 0 to 30 days. */
  readonly removalDelayMs: number;
  /** The most jobs deleted within 24 hours; undefined: no limit. A share is of the jobs that the account had. */
  readonly limit: DeletionLimit | undefined;
  /** Each raises the limit until a time. */
  readonly allowances: readonly Allowance[];
}

export type DeletionLimit =
  { readonly kind: 'jobs'; readonly jobs: number } | { readonly kind: 'share'; readonly percent: number };

export interface Allowance {
  /** Drawn by the caller. Unique in the account. */
  readonly id: string;
  /** 0: it was ended early. Its id stays until its time, so that a late repetition does not allow the jobs again. */
  readonly jobs: number;
  readonly untilMs: number;
}

export const maxRemovalDelayMs = 30 * 86_400_000;
/** An allowance ends within 30 days. To allow more permanently, raise the limit. */
export const maxAllowanceMs = 30 * 86_400_000;
/** Bounds the jobs of a limit and of an allowance: sums of them stay exact numbers. */
export const maxLimitedJobs = 1_000_000_000_000;
/** Bounds the rules, which every acceptance of the account reads: allowances that were ended early count until their time. */
export const maxAllowances = 100;

export const noRules: SafetyRules = { removalDelayMs: 0, limit: undefined, allowances: [] };

export interface RuleStore {
  /** Returns the rules of the accounts that have any. An account without rules is absent. */
  findRules(accountIds: readonly string[]): Promise<ReadonlyMap<string, SafetyRules>>;
  /** Sets the fields that are given, and returns all. `limit: undefined` removes the limit. */
  setRules(
    accountId: string,
    change: Partial<Pick<SafetyRules, 'removalDelayMs' | 'limit'>>,
  ): Promise<SafetyRules>;
  /**
   * Adds an allowance, and forgets those whose time is over. Adds nothing if there is one with its id, or if there are
   * `maxAllowances` others: then the returned rules don't have it.
   */
  addAllowance(accountId: string, allowance: Allowance, nowMs: number): Promise<SafetyRules>;
  /**
   * Ends an allowance before its time. Once it resolves, no request is accepted under the allowance, whatever rules its api
   * has read. An unknown id changes nothing. @throws Fault `unavailable` while a replica may use the allowance
   */
  endAllowance(accountId: string, id: string): Promise<SafetyRules>;
}

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
