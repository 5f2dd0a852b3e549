// Original file: jobs/deleter/v1/deleter.proto

import type { RequestOrigin as _jobs_deleter_v1_RequestOrigin, RequestOrigin__Output as _jobs_deleter_v1_RequestOrigin__Output } from '../../../jobs/deleter/v1/RequestOrigin.ts';

export interface CancelDeletionRequest {
  'accountId'?: (string);
  'deletionId'?: (string);
  'origin'?: (_jobs_deleter_v1_RequestOrigin | null);
}

export interface CancelDeletionRequest__Output {
  'accountId': (string);
  'deletionId': (string);
  'origin': (_jobs_deleter_v1_RequestOrigin__Output | null);
}
