export { JobsDeleteClient } from './jobs-delete-client.ts';
export type { ClientOptions } from './client-options.ts';
export type { DeleteJobsOptions, JobIds } from './delete-jobs.ts';
export { IncompleteError, type AcceptedDeletion, type RefusedJob, type Report } from './report.ts';
export type { RemovedDeletion } from './wait-until-removed.ts';
export { ConnectionError, ProblemError, type ProblemEntry } from './errors.ts';
