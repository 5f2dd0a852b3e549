/** How long the counts of a day are kept. */
export const refusalRetentionDays = 40;

/** How many requests of an account were refused with a code on a day. */
export interface RefusalCount {
  readonly accountId: string;
  /** In UTC, such as `2026-01-31`. */
  readonly day: string;
  /** A `code` of the HTTP problems. */
  readonly code: string;
  readonly count: number;
}

export interface RefusalCounts {
  /** Adds to the stored counts. A count for an account that does not exist is ignored. */
  addRefusals(counts: readonly RefusalCount[]): Promise<void>;
  /** From this day on, ordered by day, then code. */
  listRefusals(accountId: string, fromDay: string): Promise<readonly RefusalCount[]>;
  /** Removes the counts of earlier days. */
  expireRefusals(beforeDay: string): Promise<void>;
}
