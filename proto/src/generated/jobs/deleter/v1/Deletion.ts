// Original file: jobs/deleter/v1/deleter.proto

import type { DeletionState as _jobs_deleter_v1_DeletionState, DeletionState__Output as _jobs_deleter_v1_DeletionState__Output } from '../../../jobs/deleter/v1/DeletionState.ts';
import type { RequestOrigin as _jobs_deleter_v1_RequestOrigin, RequestOrigin__Output as _jobs_deleter_v1_RequestOrigin__Output } from '../../../jobs/deleter/v1/RequestOrigin.ts';
import type { Long } from '@grpc/proto-loader';

export interface Deletion {
  'id'?: (string);
  'accountId'?: (string);
  'state'?: (_jobs_deleter_v1_DeletionState);
  'jobCount'?: (number);
  'acceptedAtMs'?: (number | string | Long);
  'publishedAtMs'?: (number | string | Long);
  'completedAtMs'?: (number | string | Long);
  'origin'?: (_jobs_deleter_v1_RequestOrigin | null);
  'jobIds'?: (string)[];
  'keptJobCount'?: (number);
  'caller'?: (string);
  'removalAtMs'?: (number | string | Long);
  'cancelledAtMs'?: (number | string | Long);
  'cancelOrigin'?: (_jobs_deleter_v1_RequestOrigin | null);
}

export interface Deletion__Output {
  'id': (string);
  'accountId': (string);
  'state': (_jobs_deleter_v1_DeletionState__Output);
  'jobCount': (number);
  'acceptedAtMs': (number);
  'publishedAtMs': (number);
  'completedAtMs': (number);
  'origin': (_jobs_deleter_v1_RequestOrigin__Output | null);
  'jobIds': (string)[];
  'keptJobCount': (number);
  'caller': (string);
  'removalAtMs': (number);
  'cancelledAtMs': (number);
  'cancelOrigin': (_jobs_deleter_v1_RequestOrigin__Output | null);
}
