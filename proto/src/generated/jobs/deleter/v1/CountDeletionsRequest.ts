// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface CountDeletionsRequest {
  'accountId'?: (string);
  'fromMs'?: (number | string | Long);
  'toMs'?: (number | string | Long);
  'tokenId'?: (string);
}

export interface CountDeletionsRequest__Output {
  'accountId': (string);
  'fromMs': (number);
  'toMs': (number);
  'tokenId': (string);
}
