// Original file: jobs/deleter/v1/deleter.proto


export interface CountJobsRequest {
  'accountId'?: (string);
}

export interface CountJobsRequest__Output {
  'accountId': (string);
}
