// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface Allowance {
  'id'?: (string);
  'jobs'?: (number | string | Long);
  'untilMs'?: (number | string | Long);
}

export interface Allowance__Output {
  'id': (string);
  'jobs': (number);
  'untilMs': (number);
}
