// Original file: jobs/deleter/v1/deleter.proto

import type { Long } from '@grpc/proto-loader';

export interface GetJobTitlesResponse {
  'titles'?: ({[key: string]: string});
  'importedAtMs'?: ({[key: string]: number | string | Long});
}

export interface GetJobTitlesResponse__Output {
  'titles': ({[key: string]: string});
  'importedAtMs': ({[key: string]: number});
}
