import { status } from '@grpc/grpc-js';
import type { ListJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsRequest';
import type { ListJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsResponse';
import { createFairSemaphore } from '@jobs-delete/runtime/batching/fair-semaphore';
import type { JobStore } from '../store/job-store.ts';
import { GrpcError, invalidField } from './grpc-error.ts';

const defaultLimit = 1_000;
const maxLimit = 10_000;
/** A page of 10,000 ids keeps a core of the database busy for a while: requests that delete come first. */
const maxRunning = 2;
const maxWaiting = 200;

/** Returns a function that lists an account's jobs, a few lists at a time, accounts round robin. */
export function createListJobs(store: Pick<JobStore, 'listJobs'>) {
  const lists = createFairSemaphore({ maxRunning, maxWaiting });

  return async ({ accountId, after, limit }: ListJobsRequest__Output): Promise<ListJobsResponse> => {
    if (accountId === '') throw invalidField('account_id', 'is required');
    if (limit > maxLimit) throw invalidField('limit', `must be at most ${String(maxLimit)}`);
    const page = await lists.run(accountId, () =>
      store.listJobs({ accountId, after, limit: limit || defaultLimit }),
    );
    if (page === 'full')
      throw new GrpcError(status.RESOURCE_EXHAUSTED, 'Too many lists of jobs wait here; list again later.');
    return { jobIds: [...page.jobIds], next: page.next ?? '' };
  };
}
