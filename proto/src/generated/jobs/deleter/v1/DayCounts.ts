// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface DayCounts {
  'dayMs'?: (number | string | Long);
  'deletions'?: (number);
  'jobsAccepted'?: (number | string | Long);
  'jobsRemoved'?: (number | string | Long);
}

export interface DayCounts__Output {
  'dayMs': (number);
  'deletions': (number);
  'jobsAccepted': (number);
  'jobsRemoved': (number);
}
