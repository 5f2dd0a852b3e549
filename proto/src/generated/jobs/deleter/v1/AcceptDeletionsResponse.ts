// Original file: jobs/deleter/v1/deleter.proto

import type { NumberedOutcome as _jobs_deleter_v1_NumberedOutcome, NumberedOutcome__Output as _jobs_deleter_v1_NumberedOutcome__Output } from '../../../jobs/deleter/v1/NumberedOutcome.ts';

export interface AcceptDeletionsResponse {
  'outcomes'?: (_jobs_deleter_v1_NumberedOutcome)[];
}

export interface AcceptDeletionsResponse__Output {
  'outcomes': (_jobs_deleter_v1_NumberedOutcome__Output)[];
}
