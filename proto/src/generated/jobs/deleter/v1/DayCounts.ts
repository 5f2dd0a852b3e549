// Original file: jobs/deleter/v1/deleter.proto

import type { StateCounts as _jobs_deleter_v1_StateCounts, StateCounts__Output as _jobs_deleter_v1_StateCounts__Output } from '../../../jobs/deleter/v1/StateCounts.ts';
import type { Long } from '@grpc/proto-loader';

export interface DayCounts {
  'dayMs'?: (number | string | Long);
  'deletions'?: (number);
  'jobsAccepted'?: (number | string | Long);
  'jobsRemoved'?: (number | string | Long);
  'states'?: (_jobs_deleter_v1_StateCounts)[];
}

export interface DayCounts__Output {
  'dayMs': (number);
  'deletions': (number);
  'jobsAccepted': (number);
  'jobsRemoved': (number);
  'states': (_jobs_deleter_v1_StateCounts__Output)[];
}
