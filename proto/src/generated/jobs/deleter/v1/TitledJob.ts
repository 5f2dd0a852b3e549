// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface TitledJob {
  'id'?: (string);
  'title'?: (string);
  'importedAtMs'?: (number | string | Long);
}

export interface TitledJob__Output {
  'id': (string);
  'title': (string);
  'importedAtMs': (number);
}
