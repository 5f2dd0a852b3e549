// Original file: jobs/deleter/v1/deleter.proto

import type { TitledJob as _jobs_deleter_v1_TitledJob, TitledJob__Output as _jobs_deleter_v1_TitledJob__Output } from '../../../jobs/deleter/v1/TitledJob.ts';

export interface SearchJobsResponse {
  'jobs'?: (_jobs_deleter_v1_TitledJob)[];
  'next'?: (string);
}

export interface SearchJobsResponse__Output {
  'jobs': (_jobs_deleter_v1_TitledJob__Output)[];
  'next': (string);
}
