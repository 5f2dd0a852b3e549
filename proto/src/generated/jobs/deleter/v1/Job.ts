// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface Job {
  'id'?: (string);
  'accountId'?: (string);
  'importedAtMs'?: (number | string | Long);
  'deletionId'?: (string);
}

export interface Job__Output {
  'id': (string);
  'accountId': (string);
  'importedAtMs': (number);
  'deletionId': (string);
}
