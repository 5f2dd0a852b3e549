// Original file: jobs/deleter/v1/deleter.proto

import type { DeletionState as _jobs_deleter_v1_DeletionState, DeletionState__Output as _jobs_deleter_v1_DeletionState__Output } from '../../../jobs/deleter/v1/DeletionState.ts';
import type { Long } from '@grpc/proto-loader';

export interface StateCounts {
  'state'?: (_jobs_deleter_v1_DeletionState);
  'deletions'?: (number);
  'jobs'?: (number | string | Long);
}

export interface StateCounts__Output {
  'state': (_jobs_deleter_v1_DeletionState__Output);
  'deletions': (number);
  'jobs': (number);
}
