// Original file: jobs/deleter/v1/deleter.proto


export interface UnavailableJobs {
  'bitmap'?: (Buffer | Uint8Array | string);
}

export interface UnavailableJobs__Output {
  'bitmap': (Buffer);
}
