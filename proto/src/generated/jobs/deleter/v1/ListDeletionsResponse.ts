// Original file: jobs/deleter/v1/deleter.proto

import type { Deletion as _jobs_deleter_v1_Deletion, Deletion__Output as _jobs_deleter_v1_Deletion__Output } from '../../../jobs/deleter/v1/Deletion.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListDeletionsResponse {
  'deletions'?: (_jobs_deleter_v1_Deletion)[];
  'nextPageToken'?: (string);
  'examinedFromMs'?: (number | string | Long);
}

export interface ListDeletionsResponse__Output {
  'deletions': (_jobs_deleter_v1_Deletion__Output)[];
  'nextPageToken': (string);
  'examinedFromMs': (number);
}
