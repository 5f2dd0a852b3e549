// Original file: jobs/deleter/v1/deleter.proto

import type { DeleteJobsResult as _jobs_deleter_v1_DeleteJobsResult, DeleteJobsResult__Output as _jobs_deleter_v1_DeleteJobsResult__Output } from '../../../jobs/deleter/v1/DeleteJobsResult.ts';

export interface BatchDeleteJobsResponse {
  'results'?: (_jobs_deleter_v1_DeleteJobsResult)[];
}

export interface BatchDeleteJobsResponse__Output {
  'results': (_jobs_deleter_v1_DeleteJobsResult__Output)[];
}
