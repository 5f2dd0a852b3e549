// Original file: jobs/deleter/v1/deleter.proto


export interface ListJobsRequest {
  'accountId'?: (string);
  'after'?: (string);
  'limit'?: (number);
}

export interface ListJobsRequest__Output {
  'accountId': (string);
  'after': (string);
  'limit': (number);
}
