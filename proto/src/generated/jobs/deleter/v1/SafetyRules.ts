// Original file: jobs/deleter/v1/deleter.proto

import type { DeletionLimit as _jobs_deleter_v1_DeletionLimit, DeletionLimit__Output as _jobs_deleter_v1_DeletionLimit__Output } from '../../../jobs/deleter/v1/DeletionLimit.ts';
import type { Allowance as _jobs_deleter_v1_Allowance, Allowance__Output as _jobs_deleter_v1_Allowance__Output } from '../../../jobs/deleter/v1/Allowance.ts';
import type { DeletionUsage as _jobs_deleter_v1_DeletionUsage, DeletionUsage__Output as _jobs_deleter_v1_DeletionUsage__Output } from '../../../jobs/deleter/v1/DeletionUsage.ts';
import type { Long } from '@grpc/proto-loader';

export interface SafetyRules {
  'removalDelayMs'?: (number | string | Long);
  'limit'?: (_jobs_deleter_v1_DeletionLimit | null);
  'allowances'?: (_jobs_deleter_v1_Allowance)[];
  'usage'?: (_jobs_deleter_v1_DeletionUsage | null);
}

export interface SafetyRules__Output {
  'removalDelayMs': (number);
  'limit': (_jobs_deleter_v1_DeletionLimit__Output | null);
  'allowances': (_jobs_deleter_v1_Allowance__Output)[];
  'usage': (_jobs_deleter_v1_DeletionUsage__Output | null);
}
