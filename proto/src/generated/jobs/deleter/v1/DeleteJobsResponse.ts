// Original file: jobs/deleter/v1/deleter.proto


export interface DeleteJobsResponse {
  'deletionId'?: (string);
  'replayed'?: (boolean);
  'language'?: (string);
}

export interface DeleteJobsResponse__Output {
  'deletionId': (string);
  'replayed': (boolean);
  'language': (string);
}
