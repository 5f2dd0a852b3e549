// Original file: jobs/deleter/v1/deleter.proto


export interface SearchJobsRequest {
  'accountId'?: (string);
  'text'?: (string);
  'after'?: (string);
  'limit'?: (number);
}

export interface SearchJobsRequest__Output {
  'accountId': (string);
  'text': (string);
  'after': (string);
  'limit': (number);
}
