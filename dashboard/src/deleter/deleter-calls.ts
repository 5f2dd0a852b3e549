import type { AccountSafety, Allowance, SafetyChange } from './account-safety.ts';
import type {
  Deletion,
  DeletionOrigin,
  DeletionOutcome,
  DeletionRequest,
  DeletionState,
} from './deletion.ts';

/**
 * Reads the jobs and deletions of accounts, asks for and cancels deletions, and changes safety rules. Methods reject with a Fault `unavailable` when no
 * api answers in time. Then the outcome of a change is unknown, and a repeated call has the effect of one.
 */
export interface DeleterCalls {
  /** Resolves to undefined if no api has issued the page token. */
  listDeletions(query: DeletionsQuery): Promise<DeletionsPage | undefined>;
  /** Resolves to undefined if the account has no such deletion. */
  getDeletion(
    accountId: string,
    deletionId: string,
    options?: { readonly includeJobIds?: boolean },
  ): Promise<Deletion | undefined>;
  /** Resolves to undefined if the account has no such job now. */
  getJob(accountId: string, jobId: string): Promise<Job | undefined>;
  /** Reads the titles of up to 100 jobs, and when they were imported. */
  describeJobs(accountId: string, jobIds: readonly string[]): Promise<JobDescriptions>;
  /**
   * Finds up to 100 jobs by words of their titles or parts of their ids. A call examines as many jobs as it can in a second:
   * only `next` says if there are more.
   */
  searchJobs(query: JobsQuery & { readonly text: string }): Promise<DescribedJobsPage>;
  /**
   * Lists the ids of jobs in their order, without those that are accepted for deletion. So a page may have fewer ids, or none:
   * only `next` says if there are more.
   */
  listJobs(query: JobsQuery): Promise<JobsPage>;
  /** Counts the jobs that the account has now, with those that are accepted for deletion. Concurrent calls for one account share one count. */
  countJobs(accountId: string): Promise<number>;
  countDeletions(query: DayCountsQuery): Promise<DeletionCounts>;
  /**
   * Yields the deletion as it is, and again at each change of its state. Ends after `completed`, after `maxWatchMs`, when
   * the signal is aborted, and at once if the account has no such deletion.
   */
  watchDeletion(accountId: string, deletionId: string, signal: AbortSignal): AsyncIterable<Deletion>;
  /** Asks for a deletion, all or nothing. Needs the role `manage-and-delete`. */
  deleteJobs(request: DeletionRequest): Promise<DeletionOutcome>;
  /** Resolves to `not-cancellable` after the removal has begun. Undefined: the account has no such deletion. */
  cancelDeletion(
    accountId: string,
    deletionId: string,
    origin: Pick<DeletionOrigin, 'person' | 'userAgent' | 'language'>,
  ): Promise<Deletion | 'not-cancellable' | undefined>;
  getSafety(accountId: string): Promise<AccountSafety>;
  changeSafety(accountId: string, change: SafetyChange): Promise<void>;
  /** Allows more jobs than the limit until a time. A repetition with the same id changes nothing: `ended` if its time is over. */
  allowDeletions(accountId: string, allowance: Allowance): Promise<'allowed' | 'ended' | 'too-many'>;
  /** Ends an allowance early: then no deletion is accepted under it. One that is unknown or has ended changes nothing. */
  endAllowance(accountId: string, id: string): Promise<void>;
  /** Resolves to the reason why no api can be used, or to undefined. */
  check(): Promise<string | undefined>;
  close(): void;
}

export interface DeletionsQuery {
  readonly accountId: string;
  /** 1 to 1,000. A page may have fewer deletions, or none: only `nextPageToken` says if there are more. */
  readonly pageSize: number;
  /** The `nextPageToken` of the previous page. Default: the first page. */
  readonly pageToken?: string | undefined;
  readonly state?: DeletionState | undefined;
  /** The API token of the request. */
  readonly tokenId?: string | undefined;
  /** Only deletions that name this job, a valid id. */
  readonly jobId?: string | undefined;
  readonly acceptedFromMs?: number | undefined;
  /** Exclusive. */
  readonly acceptedToMs?: number | undefined;
}

export interface DeletionsPage {
  /** Newest first. */
  readonly deletions: readonly Deletion[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
  /** When the last deletion was accepted that this page has examined. Undefined on the last page. */
  readonly examinedFromMs?: number | undefined;
}

export interface JobsQuery {
  readonly accountId: string;
  readonly limit: number;
  /** Only ids after this one. */
  readonly after?: string | undefined;
}

export interface JobsPage {
  readonly jobIds: readonly string[];
  /** The `after` of the next page. Undefined on the last one. */
  readonly next: string | undefined;
}

export type JobTitles = ReadonlyMap<string, string>;

export interface JobDescriptions {
  readonly titles: JobTitles;
  /** By the ids of the jobs that the account has. */
  readonly importedAtMs: ReadonlyMap<string, number>;
}

export type DescribedJobsPage = JobsPage & JobDescriptions;

export interface Job {
  readonly importedAtMs: number;
  /** The deletion that will remove the job; undefined for a job that is not accepted for deletion. */
  readonly deletionId: string | undefined;
}

/** At most 92 days. */
export interface DayCountsQuery {
  readonly accountId: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** The API token of the requests. */
  readonly tokenId?: string | undefined;
}

export interface DeletionCounts {
  /** Every UTC day of the range, ascending. */
  readonly days: readonly DayCounts[];
  /** How long a deletion is kept after its end. Undefined if the api does not say. */
  readonly retentionMs: number | undefined;
}

/** The deletions that were accepted on a UTC day. */
export interface DayCounts {
  /** The start of the day. */
  readonly dayMs: number;
  readonly deletions: number;
  readonly jobsAccepted: number;
  /** The jobs that the completed deletions have removed. */
  readonly jobsRemoved: number;
  /** A state without deletions is absent. */
  readonly states: readonly StateCounts[];
}

export interface StateCounts {
  readonly state: DeletionState;
  readonly deletions: number;
  readonly jobs: number;
}
