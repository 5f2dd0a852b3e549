// Original file: jobs/deleter/v1/deleter.proto


export interface GetDeletionRequest {
  'accountId'?: (string);
  'deletionId'?: (string);
  'includeJobIds'?: (boolean);
}

export interface GetDeletionRequest__Output {
  'accountId': (string);
  'deletionId': (string);
  'includeJobIds': (boolean);
}
