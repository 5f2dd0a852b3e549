// Original file: jobs/deleter/v1/deleter.proto


export interface GetJobRequest {
  'accountId'?: (string);
  'jobId'?: (string);
}

export interface GetJobRequest__Output {
  'accountId': (string);
  'jobId': (string);
}
