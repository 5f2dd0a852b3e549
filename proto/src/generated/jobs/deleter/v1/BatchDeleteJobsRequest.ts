// Original file: jobs/deleter/v1/deleter.proto

import type { DeleteJobsRequest as _jobs_deleter_v1_DeleteJobsRequest, DeleteJobsRequest__Output as _jobs_deleter_v1_DeleteJobsRequest__Output } from '../../../jobs/deleter/v1/DeleteJobsRequest.ts';

export interface BatchDeleteJobsRequest {
  'requests'?: (_jobs_deleter_v1_DeleteJobsRequest)[];
}

export interface BatchDeleteJobsRequest__Output {
  'requests': (_jobs_deleter_v1_DeleteJobsRequest__Output)[];
}
