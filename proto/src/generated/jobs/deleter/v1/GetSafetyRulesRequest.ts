// Original file: jobs/deleter/v1/deleter.proto


export interface GetSafetyRulesRequest {
  'accountId'?: (string);
}

export interface GetSafetyRulesRequest__Output {
  'accountId': (string);
}
