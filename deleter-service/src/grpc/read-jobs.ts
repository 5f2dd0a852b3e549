import { status } from '@grpc/grpc-js';
import { isJobId } from '@jobs-delete/proto/ids';
import type { CountJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountJobsRequest';
import type { CountJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountJobsResponse';
import type { GetJobRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetJobRequest';
import type { GetJobTitlesRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetJobTitlesRequest';
import type { GetJobTitlesResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetJobTitlesResponse';
import type { Job as JobMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Job';
import type { ListDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsRequest';
import type { ListDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsResponse';
import type { ListJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsRequest';
import type { ListJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsResponse';
import type { SearchJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/SearchJobsRequest';
import type { SearchJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/SearchJobsResponse';
import { createFairSemaphore, type FairSemaphore } from '@jobs-delete/runtime/batching/permits';
import type { Store } from '../store/store.ts';
import { GrpcError, invalidField, notFound, requireText } from './grpc-error.ts';
import { listDeletions } from './read-deletions.ts';
import { searchJobs } from './search-jobs.ts';

const defaultLimit = 1_000;
const maxLimit = 10_000;
const maxTitles = 100;
/** A page of 10,000 ids keeps a core of the database busy for a while: requests that delete come first. */
const maxRunning = 2;
const maxWaiting = 200;

/**
 * Creates the methods that read an account's jobs. Those that may take long run a few at a time, accounts round robin. Counts
 * and searches take longer than lists, which the public API has too: so these don't wait for them.
 */
export function createJobMethods(
  store: Pick<Store, 'listJobs' | 'findJob' | 'describeJobs' | 'countJobs' | 'listDeletions'>,
) {
  const lists = createFairSemaphore({ maxRunning, maxWaiting });
  const scans = createFairSemaphore({ maxRunning, maxWaiting });

  return {
    listJobs: async ({ accountId, after, limit }: ListJobsRequest__Output): Promise<ListJobsResponse> => {
      requireText('account_id', accountId);
      if (limit > maxLimit) throw invalidField('limit', `must be at most ${String(maxLimit)}`);
      const page = await runIn(lists, accountId, () =>
        store.listJobs({ accountId, after, limit: limit || defaultLimit }),
      );
      return { jobIds: [...page.jobIds], next: page.next ?? '' };
    },

    getJob: async ({ accountId, jobId }: GetJobRequest__Output): Promise<JobMessage> => {
      requireText('account_id', accountId);
      requireJobId(jobId);
      const job = await store.findJob(accountId, jobId);
      if (job === undefined) throw notFound('job', jobId);
      return { id: jobId, accountId, importedAtMs: job.importedAtMs, deletionId: job.deletionId ?? '' };
    },

    getJobTitles: async ({
      accountId,
      jobIds,
    }: GetJobTitlesRequest__Output): Promise<GetJobTitlesResponse> => {
      requireText('account_id', accountId);
      if (jobIds.length > maxTitles)
        throw invalidField('job_ids', `must have at most ${String(maxTitles)} ids`);
      const jobs = [...(await store.describeJobs(accountId, jobIds))];
      return {
        titles: Object.fromEntries(jobs.flatMap(([id, { title }]) => (title === '' ? [] : [[id, title]]))),
        importedAtMs: Object.fromEntries(jobs.map(([id, { importedAtMs }]) => [id, importedAtMs])),
      };
    },

    searchJobs: async (request: SearchJobsRequest__Output): Promise<SearchJobsResponse> => {
      requireText('account_id', request.accountId);
      return runIn(scans, request.accountId, () => searchJobs(store, request));
    },

    countJobs: async ({ accountId }: CountJobsRequest__Output): Promise<CountJobsResponse> => {
      requireText('account_id', accountId);
      return { jobs: await runIn(scans, accountId, () => store.countJobs(accountId)) };
    },

    /** Without a job's id, this is a list as any other. */
    listDeletions: async (request: ListDeletionsRequest__Output): Promise<ListDeletionsResponse> => {
      if (request.jobId === '') return listDeletions(request, store);
      requireJobId(request.jobId);
      return runIn(scans, request.accountId, () => listDeletions(request, store));
    },
  };
}

function requireJobId(jobId: string): void {
  if (!isJobId(jobId)) throw invalidField('job_id', 'must have 4 to 128 characters of [A-Za-z0-9]');
}

async function runIn<Result>(
  semaphore: FairSemaphore,
  accountId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const result = await semaphore.run(accountId, read);
  if (result === 'full')
    throw new GrpcError(status.RESOURCE_EXHAUSTED, 'Too many reads of jobs wait here; ask again later.');
  return result;
}
