// Original file: jobs/deleter/v1/deleter.proto


export interface ListJobsResponse {
  'jobIds'?: (string)[];
  'next'?: (string);
}

export interface ListJobsResponse__Output {
  'jobIds': (string)[];
  'next': (string);
}
