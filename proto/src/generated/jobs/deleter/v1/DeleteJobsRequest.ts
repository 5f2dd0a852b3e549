// Original file: jobs/deleter/v1/deleter.proto

import type { RequestOrigin as _jobs_deleter_v1_RequestOrigin, RequestOrigin__Output as _jobs_deleter_v1_RequestOrigin__Output } from '../../../jobs/deleter/v1/RequestOrigin.ts';

export interface DeleteJobsRequest {
  'accountId'?: (string);
  'jobIds'?: (string)[];
  'dryRun'?: (boolean);
  'idempotencyKey'?: (string);
  'origin'?: (_jobs_deleter_v1_RequestOrigin | null);
  'deletionId'?: (string);
}

export interface DeleteJobsRequest__Output {
  'accountId': (string);
  'jobIds': (string)[];
  'dryRun': (boolean);
  'idempotencyKey': (string);
  'origin': (_jobs_deleter_v1_RequestOrigin__Output | null);
  'deletionId': (string);
}
