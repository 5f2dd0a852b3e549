// Original file: google/rpc/error_details.proto


export interface ResourceInfo {
  'resourceType'?: (string);
  'resourceName'?: (string);
  'owner'?: (string);
  'description'?: (string);
}

export interface ResourceInfo__Output {
  'resourceType': (string);
  'resourceName': (string);
  'owner': (string);
  'description': (string);
}
