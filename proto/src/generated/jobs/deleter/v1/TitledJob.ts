// Original file: jobs/deleter/v1/deleter.proto


export interface TitledJob {
  'id'?: (string);
  'title'?: (string);
}

export interface TitledJob__Output {
  'id': (string);
  'title': (string);
}
