import type { DeletionState } from './deletion.ts';

/** Records that an audit compares, of all accounts: for operators only. Each page has a bounded size and uses an index. */
export interface AuditStore {
  /**
   * Yields deletions that are not completed, the longest due first; waiting and cancelled ones only if they were due before
   * `acceptedBeforeMs`. A deletion leased meanwhile may appear twice.
   */
  openDeletions(acceptedBeforeMs: number): AsyncIterable<readonly OpenDeletion[]>;
  /** Yields deletions completed between both times (inclusive), in the order of their completion. */
  completedDeletions(fromMs: number, toMs: number): AsyncIterable<readonly CompletedDeletion[]>;
}

export interface OpenDeletion {
  readonly id: string;
  readonly accountId: string;
  readonly state: Exclude<DeletionState, 'completed'>;
  readonly jobCount: number;
  readonly acceptedAtMs: number;
  readonly removalAtMs: number | undefined;
  readonly publishedAtMs: number | undefined;
  readonly dueAtMs: number;
}

export interface CompletedDeletion {
  readonly id: string;
  readonly accountId: string;
  /** Number of jobs at acceptance. */
  readonly jobCount: number;
  readonly completedAtMs: number;
  /** Number of job ids on record that have a claim. */
  readonly recordedJobs: number;
  /** Number of claims that are recorded as removed. A deletion of one part may record none. */
  readonly coveredJobs: number;
  /** Number of claimed postings that still exist. */
  readonly jobsLeft: number;
}
