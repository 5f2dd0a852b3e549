// Original file: jobs/deleter/v1/deleter.proto

import type { DeleteJobsResponse as _jobs_deleter_v1_DeleteJobsResponse, DeleteJobsResponse__Output as _jobs_deleter_v1_DeleteJobsResponse__Output } from '../../../jobs/deleter/v1/DeleteJobsResponse.ts';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from '../../../google/rpc/Status.ts';

export interface NumberedOutcome {
  'number'?: (number);
  'response'?: (_jobs_deleter_v1_DeleteJobsResponse | null);
  'error'?: (_google_rpc_Status | null);
  'result'?: "response"|"error";
}

export interface NumberedOutcome__Output {
  'number': (number);
  'response'?: (_jobs_deleter_v1_DeleteJobsResponse__Output | null);
  'error'?: (_google_rpc_Status__Output | null);
  'result'?: "response"|"error";
}
