// Original file: jobs/deleter/v1/deleter.proto


export interface RequestOrigin {
  'requestId'?: (string);
  'language'?: (string);
  'userAgent'?: (string);
  'clientTechnology'?: (string);
  'webOrigin'?: (string);
  'tokenId'?: (string);
  'traceparent'?: (string);
  'person'?: (string);
}

export interface RequestOrigin__Output {
  'requestId': (string);
  'language': (string);
  'userAgent': (string);
  'clientTechnology': (string);
  'webOrigin': (string);
  'tokenId': (string);
  'traceparent': (string);
  'person': (string);
}
