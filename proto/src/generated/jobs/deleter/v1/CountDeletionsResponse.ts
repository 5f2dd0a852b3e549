// Original file: jobs/deleter/v1/deleter.proto

import type { DayCounts as _jobs_deleter_v1_DayCounts, DayCounts__Output as _jobs_deleter_v1_DayCounts__Output } from '../../../jobs/deleter/v1/DayCounts.ts';
import type { Long } from '@grpc/proto-loader';

export interface CountDeletionsResponse {
  'days'?: (_jobs_deleter_v1_DayCounts)[];
  'retentionMs'?: (number | string | Long);
}

export interface CountDeletionsResponse__Output {
  'days': (_jobs_deleter_v1_DayCounts__Output)[];
  'retentionMs': (number);
}
