// Original file: jobs/deleter/v1/deleter.proto

import type { DeletionLimit as _jobs_deleter_v1_DeletionLimit, DeletionLimit__Output as _jobs_deleter_v1_DeletionLimit__Output } from '../../../jobs/deleter/v1/DeletionLimit.ts';
import type { Long } from '@grpc/proto-loader';

export interface ChangeSafetyRulesRequest {
  'accountId'?: (string);
  'removalDelayMs'?: (number | string | Long);
  'limit'?: (_jobs_deleter_v1_DeletionLimit | null);
  'delay'?: "removalDelayMs";
}

export interface ChangeSafetyRulesRequest__Output {
  'accountId': (string);
  'removalDelayMs'?: (number);
  'limit': (_jobs_deleter_v1_DeletionLimit__Output | null);
  'delay'?: "removalDelayMs";
}
