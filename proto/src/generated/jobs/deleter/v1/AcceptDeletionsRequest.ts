// Original file: jobs/deleter/v1/deleter.proto

import type { NumberedRequest as _jobs_deleter_v1_NumberedRequest, NumberedRequest__Output as _jobs_deleter_v1_NumberedRequest__Output } from '../../../jobs/deleter/v1/NumberedRequest.ts';

export interface AcceptDeletionsRequest {
  'requests'?: (_jobs_deleter_v1_NumberedRequest)[];
}

export interface AcceptDeletionsRequest__Output {
  'requests': (_jobs_deleter_v1_NumberedRequest__Output)[];
}
