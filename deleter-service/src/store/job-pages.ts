import { isJobId } from '@jobs-delete/proto/job-id';
import { maxClaimedInPage, type JobPage, type ListJobsQuery } from './job-store.ts';

/** The jobs that follow an id, in the order of their ids. */
export interface JobBatch {
  readonly unclaimed: readonly string[];
  /** How many there are, claimed ones included. */
  readonly jobs: number;
  /** The id of the last one; undefined if there are none. */
  readonly last: string | undefined;
}

/** Reads at most `size` jobs after an id. Returns none only at the end. */
export type ReadJobBatch = (after: string, size: number) => Promise<JobBatch>;

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
