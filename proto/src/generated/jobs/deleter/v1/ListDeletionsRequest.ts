// Original file: jobs/deleter/v1/deleter.proto

import type { DeletionState as _jobs_deleter_v1_DeletionState, DeletionState__Output as _jobs_deleter_v1_DeletionState__Output } from '../../../jobs/deleter/v1/DeletionState.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListDeletionsRequest {
  'accountId'?: (string);
  'pageSize'?: (number);
  'pageToken'?: (string);
  'state'?: (_jobs_deleter_v1_DeletionState);
  'acceptedFromMs'?: (number | string | Long);
  'acceptedToMs'?: (number | string | Long);
  'tokenId'?: (string);
  'jobId'?: (string);
}

export interface ListDeletionsRequest__Output {
  'accountId': (string);
  'pageSize': (number);
  'pageToken': (string);
  'state': (_jobs_deleter_v1_DeletionState__Output);
  'acceptedFromMs': (number);
  'acceptedToMs': (number);
  'tokenId': (string);
  'jobId': (string);
}
