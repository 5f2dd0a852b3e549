// Original file: jobs/deleter/v1/deleter.proto

import type { Allowance as _jobs_deleter_v1_Allowance, Allowance__Output as _jobs_deleter_v1_Allowance__Output } from '../../../jobs/deleter/v1/Allowance.ts';

export interface AllowDeletionsRequest {
  'accountId'?: (string);
  'allowance'?: (_jobs_deleter_v1_Allowance | null);
  'endEarly'?: (boolean);
}

export interface AllowDeletionsRequest__Output {
  'accountId': (string);
  'allowance': (_jobs_deleter_v1_Allowance__Output | null);
  'endEarly': (boolean);
}
