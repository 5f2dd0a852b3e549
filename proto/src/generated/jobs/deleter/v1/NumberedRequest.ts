// Original file: jobs/deleter/v1/deleter.proto

import type { DeleteJobsRequest as _jobs_deleter_v1_DeleteJobsRequest, DeleteJobsRequest__Output as _jobs_deleter_v1_DeleteJobsRequest__Output } from '../../../jobs/deleter/v1/DeleteJobsRequest.ts';

export interface NumberedRequest {
  'number'?: (number);
  'request'?: (_jobs_deleter_v1_DeleteJobsRequest | null);
  'timeoutMs'?: (number);
}

export interface NumberedRequest__Output {
  'number': (number);
  'request': (_jobs_deleter_v1_DeleteJobsRequest__Output | null);
  'timeoutMs': (number);
}
