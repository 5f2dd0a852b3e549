// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface CountJobsResponse {
  'jobs'?: (number | string | Long);
}

export interface CountJobsResponse__Output {
  'jobs': (number);
}
