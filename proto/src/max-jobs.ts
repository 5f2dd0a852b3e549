import { integer } from '@jobs-delete/runtime/config/variables';

/** The limit of a request. The gateway checks it for callers of HTTP, and the api for callers of gRPC. */
export const maxJobsVariables = {
  MAX_JOBS_PER_REQUEST: integer(1, 10_000, 10_000).describe(
    'most jobs in a request; set the same value for gateway and api',
  ),
};
