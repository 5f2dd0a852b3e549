// Original file: jobs/deleter/v1/deleter.proto


export interface UnavailableJobs {
  'positions'?: (number)[];
  'truncated'?: (boolean);
  'bitmap'?: (Buffer | Uint8Array | string);
}

export interface UnavailableJobs__Output {
  'positions': (number)[];
  'truncated': (boolean);
  'bitmap': (Buffer);
}
