// Original file: jobs/deleter/v1/deleter.proto


export interface GetJobTitlesRequest {
  'accountId'?: (string);
  'jobIds'?: (string)[];
}

export interface GetJobTitlesRequest__Output {
  'accountId': (string);
  'jobIds': (string)[];
}
