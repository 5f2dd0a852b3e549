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
  readonly jobs: number;
  readonly untilMs: number;
}

export const maxRemovalDelayMs = 30 * 86_400_000;

export const noRules: SafetyRules = { removalDelayMs: 0, limit: undefined, allowances: [] };

export interface RuleStore {
  /** Returns the rules of the accounts that have any. An account without rules is absent. */
  findRules(accountIds: readonly string[]): Promise<ReadonlyMap<string, SafetyRules>>;
  /** Sets the members that are given, and returns all. `limit: undefined` removes the limit. */
  setRules(accountId: string, change: Partial<SafetyRules>): Promise<SafetyRules>;
}
