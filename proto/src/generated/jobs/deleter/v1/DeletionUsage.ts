// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface DeletionUsage {
  'used'?: (number | string | Long);
  'held'?: (number | string | Long);
  'limitJobs'?: (number | string | Long);
  'limit'?: "limitJobs";
}

export interface DeletionUsage__Output {
  'used': (number);
  'held': (number);
  'limitJobs'?: (number);
  'limit'?: "limitJobs";
}
