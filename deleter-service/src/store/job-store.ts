import { isJobId } from '@jobs-delete/proto/ids';

/** The jobs of a store, which keeps the rules of store.ts for them too. */
export interface JobStore {
  /**
   * Adds the jobs that the account does not have yet: all of them or none. Leaves existing jobs unchanged, except jobs
   * that a deletion has claimed: a new posting replaces each of them, counts as imported, and survives the removal.
   */
  importJobs(
    accountId: string,
    jobs: readonly JobPosting[],
    atMs: number,
  ): Promise<{ readonly imported: number; readonly existing: number }>;
  findJob(accountId: string, jobId: string): Promise<Job | undefined>;
  /** Describes those jobs that the account has, by their ids. */
  describeJobs(accountId: string, jobIds: readonly string[]): Promise<ReadonlyMap<string, JobDescription>>;
  /** Counts the jobs of one account, or of all if accountId is undefined. Claimed jobs count until they are removed. */
  countJobs(accountId: string | undefined): Promise<number>;
  /**
   * Lists ids in the order of their bytes, without claimed jobs. No job is missing or twice in a list of pages, whatever
   * else is imported or removed meanwhile. A page is short only at the end, or after `maxClaimedInPage` claimed jobs: only
   * `next` says if there are more.
   */
  listJobs(query: ListJobsQuery): Promise<JobPage>;
}

export interface ListJobsQuery {
  readonly accountId: string;
  /** Only ids after this one, which need not exist. Empty for the first page. */
  readonly after: string;
  /** At least 1. */
  readonly limit: number;
  /** Default: `maxClaimedInPage`. */
  readonly maxClaimed?: number | undefined;
}

/** Bounds the time of a page: an account with a long delay may have any number of claimed jobs in a row. */
const maxClaimedInPage = 100_000;

export interface JobPage {
  readonly jobIds: readonly string[];
  /** The `after` of the next page; undefined at the end. */
  readonly next: string | undefined;
}

export interface JobPosting {
  readonly id: string;
  /** The other fields of the record, stored as given. People see its `title`. */
  readonly posting: Readonly<Record<string, unknown>>;
}

const maxTitleLength = 200;

/** Returns a value as a title of one line, or an empty text if it is none. */
export function titleOf(value: unknown): string {
  const line = typeof value === 'string' ? value.replace(/[\p{Cc}\s]+/gu, ' ').trim() : '';
  return Array.from(line).slice(0, maxTitleLength).join('');
}

/** What people recognise a job by. */
export interface JobDescription {
  /** Empty for a job without a title. */
  readonly title: string;
  readonly importedAtMs: number;
}

export interface Job extends JobPosting {
  readonly accountId: string;
  readonly importedAtMs: number;
  /** The deletion that has claimed it. */
  readonly deletionId: string | undefined;
}

/** The jobs that follow an id, in the order of their ids. */
export interface JobBatch {
  readonly unclaimed: readonly string[];
  /** How many there are, claimed ones included. */
  readonly jobs: number;
  /** The id of the last one; undefined if there are none. */
  readonly last: string | undefined;
}

/** Reads at most `size` jobs after an id. Returns none only at the end. */
type ReadJobBatch = (after: string, size: number) => Promise<JobBatch>;

const minBatchSize = 1_000;

/** Reads batches until the page is full. */
export async function readJobPage(query: ListJobsQuery, readBatch: ReadJobBatch): Promise<JobPage> {
  const { limit, maxClaimed = maxClaimedInPage } = query;
  const found: string[] = [];
  for (let { after } = query, examined = 0; ;) {
    // One more than the page shows whether there is a next page.
    const { unclaimed, jobs, last } = await readBatch(
      after,
      Math.max(limit + 1 - found.length, minBatchSize),
    );
    // An existing collection may have ids that no request can name.
    found.push(...unclaimed.filter(isJobId));
    if (found.length > limit) return { jobIds: found.slice(0, limit), next: found[limit - 1] };
    if (last === undefined) return { jobIds: found, next: undefined };
    examined += jobs;
    if (examined > limit + maxClaimed && isJobId(last)) return { jobIds: found, next: last };
    after = last;
  }
}
