// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface DeletionLimit {
  'jobs'?: (number | string | Long);
  'percent'?: (number);
  'kind'?: "jobs"|"percent";
}

export interface DeletionLimit__Output {
  'jobs'?: (number);
  'percent'?: (number);
  'kind'?: "jobs"|"percent";
}
