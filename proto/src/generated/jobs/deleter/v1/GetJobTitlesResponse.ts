// Original file: jobs/deleter/v1/deleter.proto


export interface GetJobTitlesResponse {
  'titles'?: ({[key: string]: string});
}

export interface GetJobTitlesResponse__Output {
  'titles': ({[key: string]: string});
}
